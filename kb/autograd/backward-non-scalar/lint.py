"""backward() of a loss that was not reduced."""

# the script's loss is a matrix of another kind
import ast

from torchwhy.lint.flow import loss_calls
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong

SAYS = {
    "en": '`{call}` is called on a loss per element (reduction="none")',
    "zh": '`{call}` 作用于逐元素的损失（reduction="none"）',
}
FIX = {
    "en": "reduce it first: `.mean()` or `.sum()`",
    "zh": "先归约：`.mean()` 或 `.sum()`",
}
IN_REPRO = None


def find(module):
    unreduced = {
        id(call)
        for _, call, made in loss_calls(module)
        if constant(argument(made, -1, "reduction")) == "none"
    }
    for call in module.methods("backward") if unreduced else ():
        values = module.values(call.func.value)
        if not call.args and not call.keywords and values and all(id(value) in unreduced for value in values):
            yield wrong(call, call=ast.unparse(call))
