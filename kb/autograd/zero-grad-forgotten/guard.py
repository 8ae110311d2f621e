"""A gradient that a step has used is still there, unchanged, when the next backward adds to it, and a step uses the sum."""

STEPS_IN_A_ROW = 2
MESSAGES = {
    "sum": (
        "nothing clears the gradients: this backward added to the ones that step {before} had used already, {times} times in a row",
        "没有清零梯度：这次 backward 加到了第 {before} 步已用过的梯度上，连续 {times} 次",
    )
}


class Guard:
    def __init__(self, watch):
        self.watch = watch
        self.used = {}  # of an optimizer: the parameter looked at, its gradient and that one's version
        self.times = {}

    def on_stepped(self, stepped, at):
        one = next((one for one in stepped.parameters() if one.grad is not None), None)
        if one is None:
            self.used.pop(id(stepped), None)
            return
        self.used[id(stepped)] = [stepped, one, one.grad, one.grad._version, False]

    def on_backward(self, loss, at):
        for key, (stepped, one, gradient, version, added) in list(self.used.items()):
            if (
                stepped.ref() is None
                or one.grad is not gradient
                or (not added and gradient._version != version)
            ):
                self.used.pop(key)
            elif not added:
                self.used[key][4] = None  # it may add now

    def on_backward_end(self):
        for kept in self.used.values():
            if kept[4] is None:
                kept[4] = kept[1].grad is kept[2] and kept[2]._version != kept[3]

    def on_zero_grad(self, owner, at):
        groups = getattr(owner, "param_groups", None)
        for key, kept in list(self.used.items()):
            held = (
                owner.parameters() if groups is None else (one for each in groups for one in each["params"])
            )
            if any(one is kept[1] for one in held):  # mostly the first one
                self.used.pop(key)

    def on_step(self, stepped, at):
        kept = self.used.get(id(stepped))
        summed = kept is not None and kept[4] and kept[1].grad is kept[2]
        self.times[id(stepped)] = self.times.get(id(stepped), 0) + 1 if summed else 0
        if self.times[id(stepped)] == STEPS_IN_A_ROW:
            self.watch.report("sum", self.watch.backward_at, before=stepped.steps, times=STEPS_IN_A_ROW)
