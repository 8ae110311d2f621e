"""A model that is trained is asked in training mode and nothing learns from it, or learns in evaluation mode."""

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


class Guard:
    def __init__(self, watch):
        self.watch = watch
        self.idle, self.learned, self.in_eval, self.trained = [], {}, {}, set()
        self.unused, self.steps, self.both = {}, {}, set()

    def on_called(self, call, output):
        model = call.module()
        if id(model) in self.trained and call.training and not call.counted.feeds:
            if self.watch.mixes(model):
                self.idle.append(call)
        if not call.training:
            self.both.add(call.at)  # a line that asks in either mode compares the two
        if not call.training and call.grad:
            self.in_eval[id(model)] = call
        elif call.training:
            self.in_eval.pop(id(model), None)
        self.learned[id(model)] = call

    def on_backward_end(self):
        """Calls that this backward came from; those before it which it did not come from were predictions."""
        for call in list(self.learned.values()):
            if call.used and call.module() is not None:
                self.trained.add(id(call.module()))
        waiting = [call for call in self.idle if not call.used]
        self.idle = []
        for call in waiting:
            # a call whose result still lives may be waiting for a later backward
            if call.grad and any(one() is not None for one in call.outputs):
                self.idle.append(call)
            else:
                self._unused(call)

    def _unused(self, call):
        self.unused[id(call.module()), call.at] = call

    def on_stepped(self, stepped, at):
        if not self.in_eval:
            return
        held = {id(one) for one in stepped.parameters() if one.grad is not None}
        for key, call in list(self.in_eval.items()):
            model = call.module()
            if model is None or not call.used or not any(id(one) in held for one in model.parameters()):
                continue
            self.steps[key] = self.steps.get(key, 0) + 1
            if self.steps[key] >= STEPS and self.watch.mixes(model):
                self.watch.report("learns", call.at, model=call.counted.name, steps=self.steps[key])

    def on_dropout_in_eval(self, call, at, rate):
        self.watch.report("dropout", at, rate=float(rate), model=call.counted.name)

    def on_end(self):
        for call in self.idle:
            if not call.used:
                self._unused(call)
        for call in self.unused.values():
            if not call.counted.feeds and call.at not in self.both:
                self.watch.report("predicts", call.at, step=call.step, model=call.counted.name)
