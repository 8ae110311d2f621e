"""The last activation cannot give the targets."""

from torchwhy_watch import behind_views, node_name

MESSAGES = {
    "outside": (
        "{share} % of the targets of {loss} lie outside what the {function} at the end of the model can give ({low} to {high})",
        "{loss} 的目标有 {share} % 落在模型末尾的 {function} 所能给出的范围（{low} 到 {high}）之外",
    )
}
RANGES = {
    "ReluBackward": (0.0, float("inf")),
    "SigmoidBackward": (0.0, 1.0),
    "TanhBackward": (-1.0, 1.0),
    "SoftmaxBackward": (0.0, 1.0),
}
LEAST_SHARE, SLACK, CALLS = 0.05, 0.02, 10


class Guard:
    def __init__(self, watch):
        self.watch, self.calls = watch, 0

    def on_loss(self, loss):
        if loss.name not in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss") or self.calls >= CALLS:
            return
        node = behind_views(loss.given) if loss.given.grad_fn is not None else None
        name = node_name(node) if node is not None else ""
        target = loss.target
        if name not in RANGES or target.device.type != "cpu" or target.numel() < 4 or target.requires_grad:
            return
        self.calls += 1
        low, high = RANGES[name]
        share = float(((target < low - SLACK) | (target > high + SLACK)).float().mean())
        if share > LEAST_SHARE:
            self.watch.report(
                "outside",
                loss.at,
                share="%.0f" % (100 * share),
                loss=loss.name,
                function=name[:-8].lower(),
                low=low,
                high=high,
            )
