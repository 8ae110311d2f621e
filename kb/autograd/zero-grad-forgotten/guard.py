"""A gradient that a step has used is still there, unchanged, when the next backward adds to it, and a step uses the sum."""

from torchwhy_watch import Watching

MESSAGES = {
    "sum": (
        "nothing clears the gradients: this backward added to the ones that step {before} had used already, {times} times in a row",
        "没有清零梯度：这次 backward 加到了第 {before} 步已用过的梯度上，连续 {times} 次",
    )
}
STEPS_IN_A_ROW = 2


class Used:
    """The gradient of one parameter that a step has used. `added`: whether a backward added to it; None before
    that has ended.
    """

    def __init__(self, stepped, one):
        self.stepped, self.one, self.gradient = stepped, one, one.grad
        self.version, self.added = one.grad._version, False

    def stands(self):
        return self.one.grad is self.gradient

    def changed(self):
        return self.gradient._version != self.version


class Guard(Watching):
    def begin(self):
        self.used = {}  # by optimizer

    def on_stepped(self, stepped, at):
        one = next((one for one in stepped.parameters() if one.grad is not None), None)
        self.used.pop(id(stepped), None)
        if one is not None:
            self.used[id(stepped)] = Used(stepped, one)

    def on_backward(self, loss, at):
        for key, kept in list(self.used.items()):
            if kept.stepped.ref() is None or not kept.stands() or (not kept.added and kept.changed()):
                self.used.pop(key)
            elif not kept.added:
                kept.added = None  # it may add now

    def on_backward_end(self):
        for kept in self.used.values():
            if kept.added is None:
                kept.added = kept.stands() and kept.changed()

    def on_zero_grad(self, owner, at):
        groups = getattr(owner, "param_groups", None)
        for key, kept in list(self.used.items()):
            held = (
                owner.parameters() if groups is None else (one for each in groups for one in each["params"])
            )
            if any(one is kept.one for one in held):  # mostly the first one
                self.used.pop(key)

    def on_step(self, stepped, at):
        kept = self.used.get(id(stepped))
        summed = kept is not None and kept.added and kept.stands()
        if self.in_a_row(id(stepped), summed) == STEPS_IN_A_ROW:
            self.report("sum", self.watch.backward_at, before=stepped.steps, times=STEPS_IN_A_ROW)
