"""A loss of a prediction (N, 1) and a target (N,), which broadcast to (N, N)."""

import ast

from torchwhy.lint.flow import loss_calls
from torchwhy.lint.module import argument
from torchwhy.lint.rule import wrong
from torchwhy.lint.shapes import shape

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")

SAYS = {
    "en": "`{call}` compares {left} with {right}: they broadcast to every pair of samples",
    "zh": "`{call}` 比较 {left} 与 {right}：会广播成所有样本的两两组合",
}
FIX = {
    "en": "give both the same shape: `target.view_as(output)`",
    "zh": "让两者形状相同：`target.view_as(output)`",
}
IN_REPRO = "loss = F.mse_loss("


def find(module):
    for loss, call, _ in loss_calls(module):
        if loss not in LOSSES:
            continue
        one, other = shape(module, argument(call, 0, "input")), shape(module, argument(call, 1, "target"))
        if one is None or other is None or len(one) == len(other):
            continue
        column, row = (one, other) if len(one) > len(other) else (other, one)
        if len(column) == 2 and len(row) == 1 and column[1] == 1 and row[0] != 1:
            yield wrong(call, call=ast.unparse(call), left=shown(one), right=shown(other))


def shown(shape):
    return (
        "("
        + ", ".join("?" if size is None else str(size) for size in shape)
        + ("," if len(shape) == 1 else "")
        + ")"
    )
