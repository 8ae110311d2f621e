"""Raw outputs into BCELoss, which wants probabilities."""

import ast

from torchwhy.lint.flow import loss_calls, made_by
from torchwhy.lint.module import argument
from torchwhy.lint.rule import look, wrong

SAYS = {
    "en": "`{given}` goes into BCELoss: {problem}",
    "zh": "`{given}` 直接进入 BCELoss：{problem}",
}
FIX = {
    "en": "use BCEWithLogitsLoss on the raw output",
    "zh": "对原始输出使用 BCEWithLogitsLoss",
}
IN_REPRO = "train(lambda output, y: F.binary_cross_entropy(output"


def find(module):
    for loss, call, _ in loss_calls(module):
        if loss != "bce":
            continue
        made = made_by(module, argument(call, 0, "input"))
        raw = [each for each in made if each.op in ("linear", "conv", "relu", "tanh")]
        for each in raw if len(raw) == len(made) else ():
            yield wrong(
                call,
                given=ast.unparse(each.node)[:60],
                problem=("not limited to [0, 1]", "取值不限于 [0, 1]"),
            )
        for each in made:
            if each.op == "sigmoid":
                yield look(
                    each.node if each.module is module else call,
                    raises=False,
                    given=ast.unparse(each.node)[:60],
                    problem=("less exact than BCEWithLogitsLoss", "数值上不如 BCEWithLogitsLoss 精确"),
                )
