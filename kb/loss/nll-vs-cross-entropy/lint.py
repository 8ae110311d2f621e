"""Probabilities where a loss wants logits, or logits where it wants log-probabilities."""

from torchwhy.lint import patterns as p

NOT_WANTED = {
    "cross_entropy": {"softmax", "sigmoid", "softmin"},
    "nll_loss": {"softmax", "sigmoid", "exp", "linear", "conv", "relu"},
    "bce_with_logits": {"sigmoid", "softmax"},
}
WANTED = {
    "cross_entropy": ("logits", "logits"),
    "nll_loss": ("log-probabilities", "对数概率"),
    "bce_with_logits": ("logits", "logits"),
}
REMEDIES = {
    "cross_entropy": (
        "return the output of the last linear layer; softmax only where probabilities are shown",
        "返回最后一个线性层的输出；只在展示概率时做 softmax",
    ),
    "nll_loss": (
        "use log_softmax with NLLLoss, or CrossEntropyLoss on the raw output",
        "NLLLoss 配 log_softmax，或对原始输出使用 CrossEntropyLoss",
    ),
    "bce_with_logits": (
        "drop the activation: BCEWithLogitsLoss applies its own sigmoid",
        "去掉激活：BCEWithLogitsLoss 自带 sigmoid",
    ),
}

SAYS = {
    "en": "`{given}` in front of {loss}: {loss} wants {wanted}",
    "zh": "{loss} 之前有 `{given}`：{loss} 需要 {wanted}",
}
FIX = {
    "en": "{remedy}",
    "zh": "{remedy}",
}
IN_REPRO = "train(nn.Softmax(dim=1))"


def find(module):
    for loss, others in NOT_WANTED.items():
        for call, made in p.inputs_of(module, loss):
            bad = [each for each in made if each.op in others]
            for each in bad:
                whole = p.text(each.node)
                yield (p.wrong if len(bad) == len(made) else p.look)(
                    each.within(module, call),
                    given=whole if len(whole) <= 60 else p.text(each.node.func) + "(...)",
                    loss=loss,
                    wanted=WANTED[loss],
                    remedy=REMEDIES[loss],
                )
