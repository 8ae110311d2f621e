"""The data of a batch hold a nan or an inf before the model sees them."""

from torchwhy_watch import not_finite, tensors_in

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


class Guard:
    def __init__(self, watch):
        self.watch, self.found = watch, False

    def on_call(self, call, module, args, kwargs):
        if not self.watch.checking or self.found:
            return
        for one in tensors_in([args, kwargs]):
            if one.device.type == "cpu" and one.grad_fn is None and not_finite(one) is not None:
                self.found = True
                bad = int((one != one).sum()) or int(one.isinf().sum())
                if one.isnan().any():  # masks are made of inf
                    self.watch.report(
                        "data",
                        call.at,
                        shape=tuple(one.shape),
                        model=call.counted.name,
                        value="nan",
                        count=bad,
                    )
                return

    def on_loss(self, loss):
        target = loss.target
        if (
            self.watch.checking
            and not self.found
            and target.device.type == "cpu"
            and target.is_floating_point()
        ):
            value = not_finite(target)
            if value is not None:
                self.found = True
                self.watch.report(
                    "target", loss.at, shape=loss.shapes[1], model=loss.name, value=float(value)
                )

    def on_not_finite(self, facts):
        facts.claimed = facts.claimed or self.found
