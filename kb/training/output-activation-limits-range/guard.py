"""The last activation cannot give the targets."""

from torchwhy_watch import FITTING, Watching, made_by, on_cpu

MESSAGES = {
    "outside": (
        "{share}% of the targets of {loss} lie outside what the {function} at the end of the model can give ({low} to {high})",
        "{loss} 的目标有 {share}% 落在模型末尾的 {function} 所能给出的范围（{low} 到 {high}）之外",
    )
}
RANGES = {
    "ReluBackward": (0.0, float("inf")),
    "SigmoidBackward": (0.0, 1.0),
    "TanhBackward": (-1.0, 1.0),
    "SoftmaxBackward": (0.0, 1.0),
}
LEAST_SHARE, SLACK = 0.05, 0.02


class Guard(Watching):
    def on_loss(self, loss):
        name, target = made_by(loss.given), loss.target
        if loss.name not in FITTING or name not in RANGES:
            return
        if not on_cpu(target) or target.numel() < 4 or target.requires_grad:
            return
        low, high = RANGES[name]
        share = float(((target < low - SLACK) | (target > high + SLACK)).float().mean())
        if share > LEAST_SHARE:
            told = {"share": "%.0f" % (100 * share), "function": name[:-8].lower(), "low": low, "high": high}
            self.report("outside", loss.at, loss=loss.name, **told)
