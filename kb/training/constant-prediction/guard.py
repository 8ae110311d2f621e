"""What goes into the loss is the same for every sample, again and again, while the targets differ."""

MESSAGES = {
    "same": (
        "the model gives all {count} samples of a batch the same output (spread {spread}), in {looks} looks, though their targets differ",
        "模型对批内 {count} 个样本给出相同的输出（离散度 {spread}），已连续 {looks} 次，而目标各不相同",
    )
}
LOOKS, LEAST_BATCH, SAME = 5, 4, 1e-6


class Guard:
    def __init__(self, watch):
        self.watch, self.looks = watch, {}

    def on_loss(self, loss):
        if (
            not self.watch.looking
            or not loss.grad
            or loss.given.grad_fn is None
            or loss.given.device.type != "cpu"
        ):
            return
        given = loss.given.detach().float()
        if given.dim() < 1 or given.shape[0] < LEAST_BATCH or given.numel() > 1 << 20 or self.watch.step < 2:
            return
        rows = given.reshape(given.shape[0], -1)
        spread = float((rows.max(0)[0] - rows.min(0)[0]).max())
        target = loss.target.detach()
        varied = bool((target != target.flatten()[0]).any()) if target.numel() else False
        same = spread <= SAME * (1.0 + float(rows.abs().max()))
        count = self.looks[loss.at] = self.looks.get(loss.at, 0) + 1 if same and varied else 0
        if count == LOOKS:
            self.watch.report("same", loss.at, count=given.shape[0], spread=spread, looks=count)
