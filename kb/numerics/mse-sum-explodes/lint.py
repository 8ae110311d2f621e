"""A loss that is summed over the batch, whose gradient grows with it."""

import ast

from torchwhy.lint import patterns as p

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "cross_entropy")

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
    for loss, _, made in p.loss_calls(module) if "backward" in module.text else ():
        summed = p.constants(module, p.argument(made, -1, "reduction")) == {"sum"}
        if loss in LOSSES and summed and not isinstance(module.parent.get(made), ast.BinOp):
            yield p.look(made, loss=p.text(made, 60))
