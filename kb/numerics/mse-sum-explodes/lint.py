"""A loss that is summed over the batch, whose gradient grows with it."""

import ast

from torchwhy.lint.flow import loss_calls
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import look

SAYS = {
    "en": "`{loss}` sums over the batch: the gradient, and the right learning rate, change with the batch size",
    "zh": "`{loss}` 对整个批次求和：梯度与合适的学习率都随批大小变化",
}
FIX = {
    "en": 'use reduction="mean", or divide by the number of samples',
    "zh": '使用 reduction="mean"，或除以样本数',
}
IN_REPRO = "criterion = nn.MSELoss(reduction=reduction)"


def find(module):
    for loss, _call, made in loss_calls(module):
        reductions = {constant(value) for value in module.values(argument(made, -1, "reduction"))}
        if loss in ("mse_loss", "l1_loss", "smooth_l1_loss", "cross_entropy") and reductions == {"sum"}:
            if not isinstance(module.parent.get(made), ast.BinOp) and "backward" in module.text:
                yield look(made, loss=ast.unparse(made)[:60])
