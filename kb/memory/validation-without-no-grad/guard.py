"""A trained model is asked in evaluation mode with gradients recorded, and no backward follows."""

from torchwhy_watch import Watching

MESSAGES = {
    "recorded": (
        "{model} in evaluation mode records a graph for {count} calls that no backward uses: put them under torch.no_grad()",
        "评估模式下的 {model} 为 {count} 次没有 backward 的调用记录了计算图：请放在 torch.no_grad() 中",
    )
}
CALLS, CALLS_UNTRAINED = 2, 3


class Guard(Watching):
    def begin(self):
        self.waiting, self.trained, self.last = [], set(), {}

    def on_called(self, call, output):
        if call.grad:
            self._settle()
            self.last[id(call.module())] = call
            if not call.training and any(one() is not None and one().requires_grad for one in call.outputs):
                self.waiting.append(call)

    def on_backward_end(self):
        calls = (call for call in self.last.values() if call.used and call.module() is not None)
        self.trained.update(id(call.module()) for call in calls)
        self._settle()

    def _settle(self, end=False):
        """A call whose result is gone, and which no backward used, was not meant to be learned from."""
        waiting, self.waiting = self.waiting, []
        for call in waiting:
            if not call.used and not end and call.lives():
                self.waiting.append(call)
            elif not call.used:
                count = self.in_a_row(call.at)
                if count >= (CALLS if id(call.module()) in self.trained else CALLS_UNTRAINED):
                    self.report("recorded", call.at, call.step, model=call.counted.name, count=count)

    def on_end(self):
        self._settle(end=True)
