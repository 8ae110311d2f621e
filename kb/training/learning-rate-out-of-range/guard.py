"""A learning rate of zero, one that a scheduler brought down to nothing, or one that makes the loss explode."""

import math

from torchwhy_watch import Watching, rate_of

MESSAGES = {
    "zero": (
        "the learning rate of {optimizer} has been 0 for {steps} steps: the weights do not move",
        "{optimizer} 的学习率已连续 {steps} 步为 0：权重不会更新",
    ),
    "gone": (
        "the learning rate fell from {first} to {now} after {after} of {steps} steps: the rest of the training moves nothing",
        "学习率在 {steps} 步中的第 {after} 步就从 {first} 降到 {now}：其余训练不再更新任何东西",
    ),
    "explodes": (
        "the loss grew from {first} to {now} in {steps} steps (learning rate {rate}): the steps are too large",
        "损失在 {steps} 步内从 {first} 增大到 {now}（学习率 {rate}）：步长过大",
    ),
}
ZERO_STEPS, GONE, GONE_SHARE, GONE_STEPS = 5, 1e-5, 0.25, 20
GROWTH, RISES = 100.0, 3
# less is told where it has not come down again: the loss of a value net jumps when the first large reward is drawn
CERTAIN = 1e4


class Guard(Watching):
    always = ("on_stepped",)

    def begin(self):
        self.highest, self.gone, self.high = {}, {}, {}
        self.first, self.last, self.summed = {}, {}, False

    def on_stepped(self, stepped, at):
        key, rate = id(stepped), max(map(rate_of, stepped.ref().param_groups), default=0.0)
        highest = self.highest[key] = max(rate, self.highest.get(key, 0.0))
        if self.in_a_row(key, rate == 0) == ZERO_STEPS and highest == 0:
            self.report("zero", at, optimizer=stepped.name, steps=ZERO_STEPS)
        if rate < GONE * highest:
            self.gone.setdefault(key, [at, stepped.steps, rate, 0])[3] = stepped.steps
        else:
            self.gone.pop(key, None)

    def on_end(self):
        self.tell_high()
        for key, (at, after, rate, steps) in self.gone.items():
            if steps - after >= max(GONE_STEPS, GONE_SHARE * steps):
                told = {"first": self.highest[key], "now": float(rate), "after": after, "steps": steps}
                self.report("gone", at, **told)

    def on_loss(self, loss):
        self.summed = self.summed or loss.reduction == "sum"

    def on_loss_value(self, value, at, step):
        first, last = self.first.setdefault(at, abs(value)), self.last.get(at, abs(value))
        self.last[at] = abs(value)
        rose = (not math.isfinite(value) and last > first) or abs(value) > last
        rises = self.in_a_row(at, rose)
        if self.summed or not self.watch.optimizers or first < 1e-3:
            return
        # 1 or more: a fit that had converged may bounce by orders of magnitude
        if max(last, 1.0) > GROWTH * first and rises >= RISES and last > 10:
            rate = max((one.initial_rate for one in self.watch.optimizers.values()), default=0.0)
            values = {"first": first, "now": last, "steps": step, "rate": float(rate)}
            self.high.setdefault(at, (step, values))
            if last > CERTAIN * max(first, 1.0) or not math.isfinite(value):
                self.tell_high()
        elif abs(value) <= GROWTH * first:
            self.high.pop(at, None)

    def tell_high(self):
        for at, (step, values) in self.high.items():
            self.report("explodes", at, step, **values)
        self.high.clear()

    def on_not_finite(self, facts):
        self.tell_high()
        found = self.watch.has_found("learning-rate-out-of-range", "mse-sum-explodes")
        facts.claimed = facts.claimed or found
