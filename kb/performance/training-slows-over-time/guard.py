"""The graph behind the loss grows with the steps: a state is carried over without detach()."""

from torchwhy_watch import graph

MESSAGES = {
    "grows": (
        "the graph behind this loss grows with the steps ({first} nodes, then {middle}, now {now}): something of earlier steps is not detached",
        "此损失的计算图随步数增长（{first} 个节点，之后 {middle}，现在 {now}）：有早先步骤的张量没有 detach",
    )
}
LOOKS, LEAST_GROWTH = (2, 4, 8, 16, 32), 1.6


class Guard:
    def __init__(self, watch):
        self.watch, self.sizes, self.counts = watch, {}, {}

    def on_backward(self, loss, at):
        count = self.counts[at] = self.counts.get(at, 0) + 1
        if count not in LOOKS or loss.grad_fn is None:
            return
        sizes = self.sizes.setdefault(at, [])
        sizes.append(len(graph(loss)))
        if len(sizes) >= 4 and all(b >= LEAST_GROWTH * a for a, b in zip(sizes[-3:-1], sizes[-2:])):
            self.watch.report("grows", at, first=sizes[-3], middle=sizes[-2], now=sizes[-1])
