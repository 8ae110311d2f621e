"""An optimizer none of whose parameters ever has a gradient, while it steps."""

import torch

STEPS, LATER = 3, 4
MESSAGES = {
    "nothing": (
        "{optimizer} (made at line {made}) steps for the {steps}th time and none of its {count} parameters ever had a gradient: it moves nothing",
        "{optimizer}（第 {made} 行创建）已第 {steps} 次 step，而它的 {count} 个参数从未有过梯度：什么也没有更新",
    ),
    "left_out": (
        "{layer} ({count} parameters) gets a gradient and is in no optimizer, though what runs before it is: it never learns",
        "{layer}（{count} 个参数）有梯度却不在任何优化器里，而它之前的层在：它永远不会学习",
    ),
}


class Guard:
    def __init__(self, watch):
        self.watch, self.without, self.before = watch, {}, None

    def on_stepped(self, stepped, at):
        self._nothing(stepped, at)
        self._others(stepped)

    def _nothing(self, stepped, at):
        count = self.without.get(id(stepped), 0)
        if count < 0:
            return
        held = stepped.parameters()
        if any(one.grad is not None for one in held):
            self.without[id(stepped)] = -1
            return
        self.without[id(stepped)] = count + 1
        if count + 1 == STEPS:
            self.watch.report(
                "nothing", at, optimizer=stepped.name, made=stepped.at[1], steps=STEPS, count=len(held)
            )

    def _others(self, stepped):
        if stepped.steps == 2:
            self.before = [(counted, own, self._values(own)) for counted, own in self._left_out()]
        elif stepped.steps == LATER and self.before:
            left = {id(counted) for counted, _ in self._left_out()}
            held = self.watch.trained()
            learn = [one.order for one in self.watch.modules.values() if self._held(one, held)]
            for counted, own, values in self.before:
                if id(counted) not in left or not learn or self._moved(own, values):
                    continue
                if counted.order > min(learn) and counted.calls >= LATER:
                    count = sum(one.numel() for one in own)
                    self.watch.report("left_out", counted.at, layer=counted.name, count=count)
                    return

    def _left_out(self):
        held = self.watch.trained()
        found = []
        for counted in list(self.watch.modules.values()):
            module = counted.ref()
            own = (
                [one for one in module._parameters.values() if one is not None] if module is not None else []
            )
            own = [one for one in own if one.requires_grad and one.grad is not None and id(one) not in held]
            if own and counted.root in self._roots(held):
                found.append((counted, own))
        return found

    def _roots(self, held):
        return {one.root for one in self.watch.modules.values() if self._held(one, held)}

    @staticmethod
    def _held(counted, held):
        module = counted.ref()
        return module is not None and any(id(one) in held for one in module._parameters.values())

    @staticmethod
    def _values(own):
        return [one.detach().reshape(-1)[:8].clone() for one in own]

    @staticmethod
    def _moved(own, values):
        """Somebody may update them by hand."""
        return any(not torch.equal(one.detach().reshape(-1)[:8], before) for one, before in zip(own, values))
