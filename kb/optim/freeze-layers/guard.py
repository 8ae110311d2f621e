"""A freeze that freezes nothing: a misspelled attribute, or a gradient left over from before it."""

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


class Guard:
    def __init__(self, watch):
        self.watch, self.frozen = watch, {}

    def on_step(self, stepped, at):
        if stepped.steps < 2:
            self._attributes(stepped, at)
        if not self.watch.looking:
            return
        left = [one for one in stepped.parameters() if not one.requires_grad and one.grad is not None]
        if left and any(float(one.grad.abs().max()) > 0 for one in left if one.device.type == "cpu"):
            count = self.frozen[id(stepped)] = self.frozen.get(id(stepped), 0) + 1
            if count == 2:
                self.watch.report("left", at, count=len(left))

    def _attributes(self, stepped, at):
        for one in stepped.parameters():
            for name in vars(one):
                if name != "requires_grad" and name.lower().replace("_", "") in (
                    "requiregrad",
                    "requiresgrad",
                    "requiresgradient",
                    "requiregradient",
                    "requiresgrads",
                ):
                    self.watch.report("attribute", at, name=name, owner="a parameter")
                    return
        for counted in list(self.watch.modules.values()):
            module = counted.ref()
            if (
                module is not None
                and vars(module).get("requires_grad") is False
                and any(p.requires_grad for p in module.parameters())
            ):
                self.watch.report(
                    "attribute", counted.at, name="requires_grad", owner="the module " + counted.name
                )
