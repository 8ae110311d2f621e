"""A loss with reduction="sum" that explodes."""

from torchwhy_watch import Watching

MESSAGES = {
    "explodes": (
        "a loss summed over {count} values (reduction='sum') grew from {first} to {now}: the step grows with the batch; take the mean",
        "损失对 {count} 个值求和（reduction='sum'），从 {first} 增大到 {now}：步长随批大小放大；请取平均",
    )
}
GROWTH = 100.0


class Guard(Watching):
    def begin(self):
        self.first, self.last, self.summed = {}, {}, None

    def on_loss(self, loss):
        if loss.reduction == "sum" or loss.options.get("size_average") is False:
            self.summed = (loss.at, loss.given.numel())

    def on_loss_value(self, value, at, step):
        first, last = self.first.setdefault(at, abs(value)), self.last.get(at, abs(value))
        self.last[at] = abs(value)
        large = first == first and not abs(value) < GROWTH * max(first, 1e-3)
        if self.summed and step > 1 and large and not abs(value) <= last:
            place, count = self.summed
            self.report("explodes", place, step, count=count, first=float(first), now=float(value))

    def on_not_finite(self, facts):
        facts.claimed = facts.claimed or self.watch.has_found("mse-sum-explodes")
