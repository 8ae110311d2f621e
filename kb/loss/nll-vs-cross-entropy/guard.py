"""What the graph says of a loss's input: probabilities where logits belong, or the other way round."""

from torchwhy_watch import behind_views, node_name

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
LAYERS = {
    "AddmmBackward",
    "ConvolutionBackward",
    "MmBackward",
    "BmmBackward",
    "LinearBackward",
    "ReluBackward",
}


class Guard:
    def __init__(self, watch):
        self.watch = watch

    def on_loss(self, loss):
        given = loss.given
        if given.grad_fn is None:
            return
        name = node_name(behind_views(given)) if behind_views(given) is not None else ""
        if loss.name == "cross_entropy":
            if name == "SoftmaxBackward":
                self.watch.report("softmax", loss.at, shape=loss.shapes[0])
            elif name == "SigmoidBackward":
                self.watch.report("sigmoid_twice", loss.at, function="sigmoid", shape=loss.shapes[0])
        elif loss.name == "binary_cross_entropy_with_logits" and name in (
            "SigmoidBackward",
            "SoftmaxBackward",
        ):
            self.watch.report("sigmoid", loss.at, function=name[:-8].lower())
        elif loss.name == "nll_loss" and (name in LAYERS or name in ("SoftmaxBackward", "SigmoidBackward")):
            what = name[:-8].lower() if name.startswith(("Soft", "Sig")) else "raw outputs"
            self.watch.report("nll", loss.at, what=what)
        elif loss.name == "kl_div" and name == "SoftmaxBackward":
            self.watch.report("kl", loss.at)
