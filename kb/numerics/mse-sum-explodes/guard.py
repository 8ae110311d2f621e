"""A loss with reduction="sum" that explodes."""

MESSAGES = {
    "explodes": (
        "a loss summed over {count} values (reduction='sum') grew from {first} to {now}: the step grows with the batch; take the mean",
        "损失对 {count} 个值求和（reduction='sum'），从 {first} 增大到 {now}：步长随批大小放大；请取平均",
    )
}
GROWTH = 100.0


class Guard:
    def __init__(self, watch):
        self.watch, self.first, self.last, self.summed = watch, {}, {}, None

    def on_loss(self, loss):
        if loss.reduction == "sum" or loss.options.get("size_average") is False:
            self.summed = (loss.at, loss.given.numel())

    def on_loss_value(self, value, at, step):
        first = self.first.setdefault(at, abs(value))
        last = self.last.get(at, abs(value))
        self.last[at] = abs(value)
        if (
            self.summed
            and step > 1
            and first == first
            and not abs(value) < GROWTH * max(first, 1e-3)
            and (abs(value) > last or value != value)
        ):
            self.watch.report(
                "explodes",
                self.summed[0],
                step=step,
                count=self.summed[1],
                first=float(first),
                now=float(value),
            )

    def on_not_finite(self, facts):
        facts.claimed = facts.claimed or any(one["id"] == "mse-sum-explodes" for one in self.watch.findings)
