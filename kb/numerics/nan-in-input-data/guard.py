"""The data of a batch hold a nan or an inf before the model sees them."""

from torchwhy_watch import Watching, not_finite, on_cpu, tensors_in

MESSAGES = {
    "data": (
        "the input {shape} of {model} holds {value} in {count} places: the data are not finite",
        "{model} 的输入 {shape} 中有 {count} 处为 {value}：数据本身不是有限值",
    ),
    "target": (
        "the target {shape} of {model} holds {value}: the data are not finite",
        "{model} 的目标 {shape} 中含有 {value}：数据本身不是有限值",
    ),
}


class Guard(Watching):
    always = ("on_call", "on_called", "on_loss")

    def begin(self):
        self.found, self.infinite = False, None

    def on_call(self, call, module, args, kwargs):
        if not self.watch.checking or self.found:
            return
        self.infinite = None
        for one in tensors_in([args, kwargs]):
            if on_cpu(one) and one.grad_fn is None and not_finite(one) is not None:
                if bool(one.isnan().any()):
                    self._data(call, one, one.isnan(), "nan")
                    return
                if bool((one == float("inf")).any()):  # masks are made of -inf; another may still do no harm
                    self.infinite = (call, one, one == float("inf"), "inf")

    def _data(self, call, tensor, bad, value):
        self.found, self.infinite = True, None
        told = {"shape": tuple(tensor.shape), "value": value, "count": int(bad.sum())}
        self.report("data", call.at, call.step, model=call.counted.name, **told)

    def on_loss(self, loss):
        if self.watch.checking and not self.found and on_cpu(loss.target, floating=True):
            value = not_finite(loss.target)
            if value is not None:
                self.found = True
                self.report("target", loss.at, shape=loss.shapes[1], model=loss.name, value=float(value))

    def on_called(self, call, output):
        self.infinite = None

    def on_not_finite(self, facts):
        if self.infinite is not None and facts.cause == "input" and not facts.claimed:
            self._data(*self.infinite)
        facts.claimed = facts.claimed or self.found
