"""A trained model is asked in evaluation mode with gradients recorded, and no backward follows."""

MESSAGES = {
    "recorded": (
        "{model} in evaluation mode records a graph for {count} calls that no backward uses: put them under torch.no_grad()",
        "评估模式下的 {model} 为 {count} 次没有 backward 的调用记录了计算图：请放在 torch.no_grad() 中",
    )
}
CALLS, CALLS_UNTRAINED = 2, 3


class Guard:
    def __init__(self, watch):
        self.watch, self.waiting, self.unused, self.trained, self.last = watch, [], {}, set(), {}

    def on_called(self, call, output):
        if not call.grad:
            return
        self._settle()
        model = call.module()
        self.last[id(model)] = call
        if not call.training and any(one() is not None and one().requires_grad for one in call.outputs):
            self.waiting.append(call)

    def on_backward_end(self):
        for call in self.last.values():
            if call.used and call.module() is not None:
                self.trained.add(id(call.module()))
        self._settle()

    def _settle(self, end=False):
        """A call whose result is gone, and which no backward used, was not meant to be learned from."""
        for call in list(self.waiting):
            if not call.used and not end and any(one() is not None for one in call.outputs):
                continue
            self.waiting.remove(call)
            if not call.used:
                count = self.unused[call.at] = self.unused.get(call.at, 0) + 1
                if count >= (CALLS if id(call.module()) in self.trained else CALLS_UNTRAINED):
                    self.watch.report(
                        "recorded", call.at, step=call.step, model=call.counted.name, count=count
                    )

    def on_end(self):
        self._settle(end=True)
