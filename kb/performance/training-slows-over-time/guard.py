"""The graph behind the loss grows with the steps: a state is carried over without detach()."""

from torchwhy_watch import Watching, graph, hooks_of

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
LEAST_GROWTH, HOOK_LOOKS = 1.6, 8


class Guard(Watching):
    hooked = True  # hears only of layers that have hooks

    def begin(self):
        self.sizes, self.hooks = {}, {}

    def on_backward(self, loss, at):
        if loss.grad_fn is None or not self.doubled(at):
            return
        sizes = self.sizes.setdefault(at, [])
        sizes.append(len(graph(loss)))
        if len(sizes) >= 4 and all(b >= LEAST_GROWTH * a for a, b in zip(sizes[-3:-1], sizes[-2:])):
            self.report("grows", at, first=sizes[-3], middle=sizes[-2], now=sizes[-1])

    def on_layer(self, module, counted, args, output):
        seen = self.hooks.setdefault(id(module), {})
        seen.setdefault(self.watch.step, hooks_of(module))
        counts = list(seen.values())
        if len(counts) >= HOOK_LOOKS and all(a < b for a, b in zip(counts, counts[1:])):
            self.report("hooks", counted.at, layer=counted.name, first=counts[0], now=hooks_of(module))
