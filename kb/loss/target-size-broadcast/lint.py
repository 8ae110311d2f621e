"""A loss of a prediction (N, 1) and a target (N,), which broadcast to (N, N)."""

from torchwhy.lint import patterns as p

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
    for loss, call, _ in p.loss_calls(module):
        pair = [p.shape(module, p.argument(call, at, name)) for at, name in enumerate(("input", "target"))]
        if loss in LOSSES and pair[0] is None and p.is_column(module, p.argument(call, 0, "input")):
            pair[0] = (None, 1)  # whatever goes in, its last layer has one unit
        if loss in LOSSES and None not in pair:
            row, column = sorted(pair, key=len)
            if len(row) == 1 and len(column) == 2 and column[1] == 1 and row[0] != 1:
                yield p.wrong(call, call=p.text(call), left=p.shown(pair[0]), right=p.shown(pair[1]))
