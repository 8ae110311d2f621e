"""Probabilities where a loss wants logits, or logits where it wants log-probabilities."""

import ast

from torchwhy.lint.flow import loss_calls, made_by
from torchwhy.lint.module import argument
from torchwhy.lint.rule import look, wrong

WRONG = {
    "cross_entropy": {"softmax", "sigmoid", "softmin"},
    "nll_loss": {"softmax", "sigmoid", "linear", "conv", "relu"},
    "bce_with_logits": {"sigmoid", "softmax"},
}
WANTED = {
    "cross_entropy": (
        ("logits", "logits"),
        (
            "return the output of the last linear layer; softmax only where probabilities are shown",
            "返回最后一个线性层的输出；只在展示概率时做 softmax",
        ),
    ),
    "nll_loss": (
        ("log-probabilities", "对数概率"),
        (
            "use log_softmax with NLLLoss, or CrossEntropyLoss on the raw output",
            "NLLLoss 配 log_softmax，或对原始输出使用 CrossEntropyLoss",
        ),
    ),
    "bce_with_logits": (
        ("logits", "logits"),
        (
            "drop the activation: BCEWithLogitsLoss applies its own sigmoid",
            "去掉激活：BCEWithLogitsLoss 自带 sigmoid",
        ),
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
    for loss, call, _ in loss_calls(module):
        if loss not in WRONG:
            continue
        made = made_by(module, argument(call, 0, "input"))
        bad = [each for each in made if each.op in WRONG[loss]]
        wanted, remedy = WANTED[loss]
        for each in bad:
            node = each.node if each.module is module else call
            seen = wrong if len(bad) == len(made) else look
            given = ast.unparse(each.node)
            given = given if len(given) <= 60 else ast.unparse(each.node.func) + "(...)"
            yield seen(node, given=given, loss=loss, wanted=wanted, remedy=remedy)
