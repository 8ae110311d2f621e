"""A gradient that a step has used is still there, unchanged, when the next backward adds to it, and a step uses the sum."""

from torchwhy_watch import Watching

MESSAGES = {
    "sum": (
        "nothing clears the gradients: this backward added to the ones that step {before} had used already, {times} times in a row",
        "没有清零梯度：这次 backward 加到了第 {before} 步已用过的梯度上，连续 {times} 次",
    ),
    "thrown_away": (
        "this clears gradients that no step has used, {thrown} times beside {used} that were used: call it after step()",
        "这里清掉了还没有被任何 step 用过的梯度：{thrown} 次，用上的只有 {used} 次；应放在 step() 之后",
    ),
}
STEPS_IN_A_ROW = 2
THROWN, SHARE = 3, 2  # times, and for each step that used gradients of the same backward


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


class Unused:
    """Of one optimizer: whether a backward has given gradients since its last step, and how often those of
    which line were used, or thrown away.
    """

    def __init__(self):
        self.gradient, self.line, self.steps = None, None, 0
        self.used, self.thrown = {}, {}

    def given(self, one, line):
        gradient = (id(one.grad), one.grad._version)
        if gradient != self.gradient:
            self.gradient, self.line = gradient, line

    def count(self, counts):
        if self.line is not None:
            counts[self.line] = counts.get(self.line, 0) + 1
        line, self.line = self.line, None
        return line

    def in_vain(self, line):
        """Whether these are gradients that a step should have had: it has those of this line else, or none."""
        used, thrown = self.used.get(line, 0), self.thrown.get(line, 0)
        return thrown >= THROWN and (thrown >= SHARE * used if used else self.steps and not self.used)


class Guard(Watching):
    def begin(self):
        self.used = {}  # by optimizer
        self.unused = {}

    def on_stepped(self, stepped, at):
        one = next((one for one in stepped.parameters() if one.grad is not None), None)
        self.used.pop(id(stepped), None)
        if one is not None:
            self.used[id(stepped)] = Used(stepped, one)

    def on_rest(self):
        self.used = {}

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
        for key, stepped in list(self.watch.optimizers.items()):
            one = next((one for one in stepped.parameters() if one.grad is not None), None)
            if one is not None and not stepped.busy:
                self.unused.setdefault(key, Unused()).given(one, self.watch.backward_at)

    def on_zero_grad(self, owner, at):
        unused, stepped = self.unused.get(id(owner)), self.watch.optimizers.get(id(owner))
        if unused is not None and stepped is not None and not stepped.busy:
            line = unused.count(unused.thrown)
            if line is not None and unused.in_vain(line):
                self.report("thrown_away", at, thrown=unused.thrown[line], used=sum(unused.used.values()))
        groups = getattr(owner, "param_groups", None)
        for key, kept in list(self.used.items()):
            held = (
                owner.parameters() if groups is None else (one for each in groups for one in each["params"])
            )
            if any(one is kept.one for one in held):  # mostly the first one
                self.used.pop(key)

    def on_step(self, stepped, at):
        unused = self.unused.get(id(stepped.ref()))
        if unused is not None:
            unused.steps += 1
            unused.count(unused.used)
        kept = self.used.get(id(stepped))
        summed = kept is not None and kept.added and kept.stands()
        if self.in_a_row(id(stepped), summed) == STEPS_IN_A_ROW:
            self.report("sum", self.watch.backward_at, before=stepped.steps, times=STEPS_IN_A_ROW)
