"""A model that is trained is asked in training mode and nothing learns from it, or learns in evaluation mode."""

from torchwhy_watch import Watching

MESSAGES = {
    "predicts": (
        "{model} predicts in training mode (its dropout or batch norm acts), and no backward follows: model.eval() is missing",
        "{model} 在训练模式下做预测（dropout 或 BatchNorm 在起作用），其后没有 backward：缺少 model.eval()",
    ),
    "learns": (
        "{model} is trained in evaluation mode: {steps} steps since eval(), without train(); its dropout and batch norm are off",
        "{model} 在评估模式下训练：eval() 之后已有 {steps} 步，没有调用 train()；dropout 与 BatchNorm 不起作用",
    ),
    "dropout": (
        "F.dropout drops {rate} of the values though {model} is in evaluation mode: give it training=self.training",
        "{model} 处于评估模式，F.dropout 仍丢弃 {rate} 的值：请传入 training=self.training",
    ),
}
STEPS = 2


class Guard(Watching):
    def begin(self):
        self.idle, self.learned, self.in_eval, self.trained = [], {}, {}, set()
        self.unused, self.both = {}, set()

    def on_called(self, call, output):
        key = id(call.module())
        if (
            key in self.trained
            and call.training
            and not call.counted.feeds
            and self.watch.mixes(call.module())
        ):
            self.idle.append(call)
        if not call.training:
            self.both.add(call.at)  # a line that asks in either mode compares the two
        if call.training:
            self.in_eval.pop(key, None)
        elif call.grad:
            self.in_eval[key] = call
        self.learned[key] = call

    def on_backward_end(self):
        """Calls that this backward came from; those before it which it did not come from were predictions."""
        calls = (call for call in self.learned.values() if call.used and call.module() is not None)
        self.trained.update(id(call.module()) for call in calls)
        waiting, self.idle = [call for call in self.idle if not call.used], []
        for call in waiting:
            # a call whose result still lives may be waiting for a later backward
            if call.grad and call.lives():
                self.idle.append(call)
            else:
                self._unused(call)

    def _unused(self, call):
        self.unused[id(call.module()), call.at] = call

    def on_stepped(self, stepped, at):
        held = {id(one) for one in stepped.parameters() if one.grad is not None} if self.in_eval else ()
        for key, call in list(self.in_eval.items()):
            model = call.module()
            if model is not None and call.used and any(id(one) in held for one in model.parameters()):
                steps = self.in_a_row(key)
                if steps >= STEPS and self.watch.mixes(model):
                    self.report("learns", call.at, model=call.counted.name, steps=steps)

    def on_dropout_in_eval(self, call, at, rate):
        self.report("dropout", at, rate=float(rate), model=call.counted.name)

    def on_end(self):
        for call in self.idle:
            if not call.used:
                self._unused(call)
        for call in self.unused.values():
            if not call.counted.feeds and call.at not in self.both:
                self.report("predicts", call.at, call.step, model=call.counted.name)
