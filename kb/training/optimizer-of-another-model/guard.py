"""An optimizer none of whose parameters ever has a gradient, while it steps."""

import torch
from torchwhy_watch import Watching, own_parameters

MESSAGES = {
    "nothing": (
        "{optimizer} (made at line {made}) has stepped {steps} times and none of its {count} parameters ever had a gradient: it moves nothing",
        "{optimizer}（第 {made} 行创建）已第 {steps} 次 step，而它的 {count} 个参数从未有过梯度：什么也没有更新",
    ),
    "left_out": (
        "{layer} ({count} parameters) gets a gradient and is in no optimizer, though what runs before it is: it never learns",
        "{layer}（{count} 个参数）有梯度却不在任何优化器里，而它之前的层在：它永远不会学习",
    ),
    "unfrozen": (
        "{layer} was frozen when this optimizer was made, and is not any more: {count} parameters get gradients and are in no optimizer (add_param_group)",
        "创建这个优化器时 {layer} 是冻结的，现在已解冻：{count} 个参数有梯度却不在任何优化器里（应 add_param_group）",
    ),
}
STEPS, LATER = 3, 4


class Guard(Watching):
    def begin(self):
        self.before, self.cleared, self.frozen = None, set(), {}

    def on_zero_grad(self, owner, at):
        held = [one for each in getattr(owner, "param_groups", ()) for one in each["params"]]
        if any(one.grad is not None for one in held):
            self.cleared.add(id(owner))

    def on_stepped(self, stepped, at):
        held = stepped.parameters()
        still = self._is_still(stepped, held) and id(stepped.ref()) not in self.cleared
        if self.in_a_row(id(stepped), still) == STEPS:
            told = {"made": stepped.at[1], "steps": STEPS, "count": len(held)}
            self.report("nothing", at, optimizer=stepped.name, **told)
        if stepped.steps == 2:
            self.before = [(counted, own, first_values(own)) for counted, own in self._left_out()]
        elif stepped.steps == LATER and self.before:
            self._tell_left_out()
        self._look_at_frozen(stepped)

    def _look_at_frozen(self, stepped):
        """Parameters that were frozen at one look, and have a gradient at two later ones."""
        held, late = self.watch.trained(), []
        for counted in list(self.watch.modules.values()):
            for one in own_parameters(counted):
                if not one.requires_grad:
                    self.frozen[id(one)] = one
                elif one.grad is not None and self.frozen.get(id(one)) is one and id(one) not in held:
                    late.append((counted.name, one.numel()))
        if self.in_a_row("unfrozen", bool(late)) == 2:
            self.report("unfrozen", stepped.at, layer=late[0][0], count=sum(size for _, size in late))

    def _is_still(self, stepped, held):
        """Whether no parameter has had a gradient in any step so far."""
        if any(one.grad is not None for one in held):
            stepped.learned = True
        return not stepped.learned

    def _tell_left_out(self):
        left, learn = (
            {id(counted) for counted, _ in self._left_out()},
            [one.order for one in self._learning()],
        )
        for counted, own, values in self.before:
            # somebody may update them by hand
            moved = any(not torch.equal(*pair) for pair in zip(first_values(own), values))
            if id(counted) in left and learn and not moved:
                if counted.order > min(learn) and counted.calls >= LATER:
                    count = sum(one.numel() for one in own)
                    self.report("left_out", counted.at, layer=counted.name, count=count)
                    return

    def _left_out(self):
        """(module, parameters) of those with a gradient and without an optimizer, in models that learn."""
        held, roots, found = self.watch.trained(), {one.root for one in self._learning()}, []
        for counted in list(self.watch.modules.values()):
            own = [one for one in own_parameters(counted) if one.requires_grad and one.grad is not None]
            own = [one for one in own if id(one) not in held]
            if own and counted.root in roots:
                found.append((counted, own))
        return found

    def _learning(self):
        held, modules = self.watch.trained(), list(self.watch.modules.values())
        return [each for each in modules if any(id(one) in held for one in own_parameters(each))]


def first_values(parameters):
    return [one.detach().reshape(-1)[:8].clone() for one in parameters]
