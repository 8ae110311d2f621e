"""Several backward passes of a mean loss, at the same line, for each step, without a division."""

from torchwhy_watch import Watching, node_name

MESSAGES = {
    "undivided": (
        "{count} backward passes of a mean loss are summed for each step, without dividing it by {count}: unless it is divided later, the gradient is {count} times as large",
        "每一步累加 {count} 次平均损失的 backward，却没有除以 {count}：如果之后没有再除，梯度就放大为 {count} 倍",
    )
}
STEPS = 3
MEANS = frozenset(
    "NllLossBackward NllLoss2DBackward MseLossBackward BinaryCrossEntropyBackward L1LossBackward"
    " BinaryCrossEntropyWithLogitsBackward SmoothL1LossBackward MeanBackward".split()
)


class Guard(Watching):
    def begin(self):
        self.at, self.count, self.mixed, self.before = None, 0, False, 0

    def on_loss(self, loss):
        self.mixed = self.mixed or loss.reduction != "mean"

    def on_backward(self, loss, at):
        mean = loss.grad_fn is not None and node_name(loss.grad_fn) in MEANS
        self.mixed = self.mixed or not mean or self.at not in (None, at)
        self.at, self.count = at, self.count + 1

    def on_zero_grad(self, owner, at):
        self.at, self.count = None, 0

    def on_stepped(self, stepped, at):
        same = self.count > 1 and not self.mixed and self.count == (self.before or self.count)
        self.before = self.count
        if self.in_a_row("same", same) == STEPS and len(self.watch.optimizers) == 1:
            self.report("undivided", self.at, count=self.count)
        self.at, self.count, self.mixed = None, 0, False
