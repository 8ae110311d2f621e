"""A freeze that freezes nothing: a misspelled attribute, or a gradient left over from before it."""

from torchwhy_watch import Watching, on_cpu

MESSAGES = {
    "attribute": (
        "`{name}` was set on {owner}, which means nothing to torch: it is trained all the same (requires_grad of each parameter)",
        "在 {owner} 上设置了 `{name}`，这对 torch 没有意义：它照样在训练（应设置每个参数的 requires_grad）",
    ),
    "left": (
        "{count} frozen parameters still have a gradient of before and are in the optimizer: each step moves them (set grad = None)",
        "{count} 个已冻结的参数仍留有之前的梯度并在优化器里：每一步都会移动它们（应设 grad = None）",
    ),
}
MISSPELT = frozenset("requiregrad requiresgrad requiresgradient requiregradient requiresgrads".split())


class Guard(Watching):
    def on_step(self, stepped, at):
        if stepped.steps < 2:
            self._attributes(stepped, at)
        left = [one for one in stepped.parameters() if not one.requires_grad and one.grad is not None]
        moves = any(float(one.grad.abs().max()) > 0 for one in left if on_cpu(one))
        if moves and self.in_a_row(id(stepped)) == 2:
            self.report("left", at, count=len(left))

    def _attributes(self, stepped, at):
        for name in (name for one in stepped.parameters() for name in vars(one)):
            if name != "requires_grad" and name.lower().replace("_", "") in MISSPELT:
                self.report("attribute", at, name=name, owner="a parameter")
                return
        for counted in list(self.watch.modules.values()):
            module = counted.ref()
            if module is not None and vars(module).get("requires_grad") is False:
                if any(one.requires_grad for one in module.parameters()):
                    self.report(
                        "attribute", counted.at, name="requires_grad", owner="the module " + counted.name
                    )
