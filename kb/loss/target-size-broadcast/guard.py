"""An elementwise loss whose input and target were broadcast to something larger than both."""

import math

from torchwhy_watch import FITTING, Watching

MESSAGES = {
    "size": (
        "{loss} of {given} and a target of {target} compares {count} pairs instead of {wanted}: the two sizes must be equal",
        "{loss} 的输入 {given} 与目标 {target} 形状不同，比较了 {count} 对而不是 {wanted} 对：两者形状应相同",
    )
}


class Guard(Watching):
    def on_loss(self, loss):
        given, target = loss.shapes
        if loss.name not in FITTING or given == target:
            return
        longest = max(len(given), len(target))
        pairs = zip((1,) * (longest - len(given)) + given, (1,) * (longest - len(target)) + target)
        count, wanted = math.prod(map(max, pairs)), max(math.prod(given), math.prod(target))
        if count > wanted:
            told = {"given": given, "target": target, "count": count, "wanted": wanted}
            self.report("size", loss.at, loss=loss.name, **told)
