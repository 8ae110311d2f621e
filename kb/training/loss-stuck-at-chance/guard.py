"""No useful gradient arrives: the loss is a leaf, every gradient is exactly zero, or a called layer never gets one."""

MESSAGES = {
    "leaf": (
        "this backward starts from a tensor without a history (made anew, or with requires_grad set by hand): no weight gets a gradient",
        "此处 backward 的起点是没有计算历史的张量（新建的或手工设置 requires_grad）：任何权重都得不到梯度",
    ),
    "zeros": (
        "every gradient of {optimizer} has been exactly zero in all of its first {steps} steps: nothing learns",
        "{optimizer} 的前 {steps} 步中所有梯度都恰好为零：什么也学不到",
    ),
    "cut": (
        "{layer} runs in each forward before {last}, which learns, but its {count} parameters never get a gradient: the path is cut in between",
        "{layer} 在 {last} 之前参与每次前向，后者在学习，而它的 {count} 个参数从未得到梯度：中间的计算图被切断",
    ),
    "never": (
        "{count} backward passes and no step of the optimizer (made at line {made}): the weights stay as they were",
        "已有 {count} 次 backward，优化器（第 {made} 行创建）却从未 step：权重保持原样",
    ),
}
STEPS, BACKWARDS = 5, 8


class Guard:
    def __init__(self, watch):
        self.watch, self.zeros, self.scaled = watch, {}, False

    def on_backward(self, loss, at):
        if (
            loss.grad_fn is None
            and loss.requires_grad
            and type(loss).__name__ == "Tensor"
            and loss.numel() == 1
        ):
            self.watch.report("leaf", at)

    def on_scaler_step(self, args, kwargs, at):
        self.scaled = True

    def on_step(self, stepped, at):
        zeros = self.zeros.get(id(stepped), 0)
        if zeros < 0 or stepped.steps >= STEPS:
            return
        gradients = [one.grad for one in stepped.parameters() if one.grad is not None]
        moves = not gradients or any(
            one.device.type != "cpu" or one.is_sparse or bool(one.any()) for one in gradients
        )
        self.zeros[id(stepped)] = -1 if moves else zeros + 1
        if zeros + 1 == STEPS and not moves:
            self.watch.report("zeros", self.watch.backward_at, optimizer=stepped.name, steps=STEPS)

    def on_stepped(self, stepped, at):
        if stepped.steps != STEPS:
            return
        held = {id(one) for one in stepped.parameters()}
        layers = []
        for counted in list(self.watch.modules.values()):
            module = counted.ref()
            own = (
                [one for one in module._parameters.values() if one is not None and one.requires_grad]
                if module
                else []
            )
            if counted.calls >= STEPS and own and all(id(one) in held for one in own):
                layers.append((counted, own))
        learning = [counted.order for counted, own in layers if any(one.grad is not None for one in own)]
        for counted, own in layers:
            if learning and counted.order < max(learning) and all(one.grad is None for one in own):
                last = next(one for one, _ in layers if one.order == max(learning))
                self.watch.report(
                    "cut",
                    counted.at,
                    layer=counted.name,
                    last=last.name,
                    count=sum(one.numel() for one in own),
                )
                return

    def on_end(self):
        if self.scaled or self.watch.step or self.watch.backwards < BACKWARDS:
            return
        for stepped in list(self.watch.optimizers.values()):
            held = stepped.parameters()
            if stepped.steps == 0 and any(one.grad is not None for one in held):
                if all(one._version == 0 or not one.is_leaf for one in held[:1]):
                    self.watch.report(
                        "never", self.watch.backward_at, count=self.watch.backwards, made=stepped.at[1]
                    )
                return
