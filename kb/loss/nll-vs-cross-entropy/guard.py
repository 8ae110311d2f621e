"""What the graph says of a loss's input: probabilities where logits belong, or the other way round."""

from torchwhy_watch import Watching, made_by

MESSAGES = {
    "softmax": (
        "cross_entropy gets the output of a softmax (here {shape}): it takes a log-softmax itself and wants the raw outputs",
        "cross_entropy 的输入是 softmax 的结果（此处 {shape}）：它自己会做 log-softmax，需要原始输出",
    ),
    "sigmoid_twice": (
        "cross_entropy gets the output of a {function} (here {shape}): it wants raw outputs of any size and sign",
        "cross_entropy 的输入是 {function} 的结果（此处 {shape}）：它需要不限范围的原始输出",
    ),
    "sigmoid": (
        "binary_cross_entropy_with_logits gets the output of a {function}: it applies a sigmoid itself and wants the raw output",
        "binary_cross_entropy_with_logits 的输入是 {function} 的结果：它自己会做 sigmoid，需要原始输出",
    ),
    "nll": (
        "nll_loss gets {what}, not logarithms of probabilities: take log_softmax first, or cross_entropy",
        "nll_loss 的输入是 {what}，不是对数概率：先做 log_softmax，或改用 cross_entropy",
    ),
    "kl": (
        "kl_div gets probabilities as its input (the output of a softmax): it wants their logarithm, log_softmax",
        "kl_div 的第一个输入是概率（softmax 的结果）：它需要对数概率，即 log_softmax",
    ),
}
RAW = frozenset(
    "AddmmBackward ConvolutionBackward MmBackward BmmBackward LinearBackward ReluBackward".split()
)
CHANCES = ("SoftmaxBackward", "SigmoidBackward")


class Guard(Watching):
    def on_loss(self, loss):
        name = made_by(loss.given)
        function, of_chances = name[:-8].lower(), name in CHANCES
        if loss.name == "cross_entropy" and of_chances:
            key = "softmax" if function == "softmax" else "sigmoid_twice"
            self.report(key, loss.at, function=function, shape=loss.shapes[0])
        elif loss.name == "binary_cross_entropy_with_logits" and of_chances:
            self.report("sigmoid", loss.at, function=function)
        elif loss.name == "nll_loss" and (of_chances or name in RAW):
            self.report("nll", loss.at, what=function if of_chances else "raw outputs")
        elif loss.name == "kl_div" and name == "SoftmaxBackward":
            self.report("kl", loss.at)
