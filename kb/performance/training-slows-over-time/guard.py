"""The graph behind the loss grows with the steps: a state is carried over without detach()."""

from torchwhy_watch import graph

MESSAGES = {
    "grows": (
        "the graph behind this loss grows with the steps ({first} nodes, then {middle}, now {now}): something of earlier steps is not detached",
        "此损失的计算图随步数增长（{first} 个节点，之后 {middle}，现在 {now}）：有早先步骤的张量没有 detach",
    ),
    "hooks": (
        "{layer} has {now} hooks, {first} some steps ago: each step registers another one, and all of them run",
        "{layer} 现有 {now} 个 hook，若干步之前为 {first} 个：每一步都又注册了一个，并且全部都会运行",
    ),
}
LOOKS, LEAST_GROWTH, HOOK_LOOKS = (2, 4, 8, 16, 32), 1.6, 8


class Guard:
    hooked = True  # hears only of layers that have hooks

    def __init__(self, watch):
        self.watch, self.sizes, self.counts, self.hooks = watch, {}, {}, {}

    def on_backward(self, loss, at):
        count = self.counts[at] = self.counts.get(at, 0) + 1
        if count not in LOOKS or loss.grad_fn is None:
            return
        sizes = self.sizes.setdefault(at, [])
        sizes.append(len(graph(loss)))
        if len(sizes) >= 4 and all(b >= LEAST_GROWTH * a for a, b in zip(sizes[-3:-1], sizes[-2:])):
            self.watch.report("grows", at, first=sizes[-3], middle=sizes[-2], now=sizes[-1])

    def on_layer(self, module, counted, args, output):
        count = len(module._forward_hooks) + len(module._forward_pre_hooks) + len(module._backward_hooks)
        seen = self.hooks.setdefault(id(module), [])
        if not seen or seen[-1][0] != self.watch.step:
            seen.append((self.watch.step, count))
        if len(seen) >= HOOK_LOOKS and all(a[1] < b[1] for a, b in zip(seen, seen[1:])):
            self.watch.report("hooks", counted.at, layer=counted.name, first=seen[0][1], now=count)
