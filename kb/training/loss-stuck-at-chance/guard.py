"""No useful gradient arrives: the loss is a leaf, every gradient is exactly zero, or a called layer never gets one."""

from torchwhy_watch import CLASSIFYING, Watching, on_cpu, own_parameters, plain, tensors_in

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
    "moved": (
        "of {again} inputs that came again, {changed} came with another label than before: inputs and labels are put in order apart from each other",
        "再次出现的 {again} 个输入里，有 {changed} 个的标签与之前不同：输入和标签没有一起打乱或排序",
    ),
}
STEPS, BACKWARDS = 5, 8
MAX_ROWS, MAX_NUMBERS, AGAIN, CHANGED = 4096, 1 << 20, 20, 0.1


class Guard(Watching):
    def begin(self):
        self.scaled, self.rows, self.labels, self.again, self.changed = False, [], {}, 0, 0
        self.earlier = {}  # by optimizer how often layers had run when it was made
        self.few = False  # inputs are possible, of which one may have several labels

    def on_call(self, call, module, args, kwargs):
        given = [one for one in tensors_in([args, kwargs]) if plain(one) and on_cpu(one) and one.dim() > 1]
        if call.grad and call.training and given and given[0].grad_fn is None:
            if given[0].numel() <= MAX_NUMBERS and len(self.labels) < MAX_ROWS and not self.few:
                parts = [one.detach().contiguous() for one in given if len(one) == len(given[0])]
                self.rows = [hash(tuple(row.numpy().tobytes() for row in rows)) for rows in zip(*parts)]

    def on_loss(self, loss):
        """Whether an input that came to this loss before, for as many classes, comes with its label again."""
        rows, self.rows = self.rows, []
        labels = loss.name in CLASSIFYING and loss.grad and loss.target.dim() == 1
        if not labels or len(rows) != len(loss.target) or not on_cpu(loss.target, floating=False):
            return
        self.few = self.few or len(set(rows)) < len(rows)
        if self.few:
            return
        task = loss.at, loss.shapes[0][1:]
        for row, label in zip(rows, loss.target.tolist()):
            self.again += (task, row) in self.labels
            self.changed += self.labels.setdefault((task, row), label) != label
        if self.again >= AGAIN and self.changed >= CHANGED * self.again:
            self.report("moved", loss.at, again=self.again, changed=self.changed)

    def on_backward(self, loss, at):
        alone = loss.grad_fn is None and loss.requires_grad
        if alone and type(loss).__name__ == "Tensor" and loss.numel() == 1:
            self.report("leaf", at)

    def on_optimizer(self, stepped):
        self.earlier[id(stepped)] = {id(one): one.calls for one in list(self.watch.modules.values())}

    def on_scaler_step(self, args, kwargs, at):
        self.scaled = True

    def on_step(self, stepped, at):
        if stepped.steps < STEPS:
            gradients = [one.grad for one in stepped.parameters() if one.grad is not None]
            moves = any(not on_cpu(one) or one.is_sparse or bool(one.any()) for one in gradients)
            if self.in_a_row(id(stepped), gradients and not moves) == STEPS:
                self.report("zeros", self.watch.backward_at, optimizer=stepped.name, steps=STEPS)

    def on_stepped(self, stepped, at):
        if stepped.steps != STEPS:
            return
        held, layers = {id(one) for one in stepped.parameters()}, []
        earlier = self.earlier.pop(id(stepped), {})
        for counted in list(self.watch.modules.values()):
            own = [one for one in own_parameters(counted) if one.requires_grad]
            if (
                counted.calls - earlier.get(id(counted), 0) >= STEPS
                and own
                and all(id(one) in held for one in own)
            ):
                layers.append((counted, own, [one for one in own if one.grad is not None]))
        last = max((one for one, _, grown in layers if grown), key=lambda one: one.order, default=None)
        for counted, own, grown in layers if last is not None else ():
            if counted.order < last.order and not grown:
                count = sum(one.numel() for one in own)
                self.report("cut", counted.at, layer=counted.name, last=last.name, count=count)
                return

    def on_end(self):
        backwards = self.watch.backwards
        if self.scaled or self.watch.step or backwards < BACKWARDS:
            return
        for stepped in list(self.watch.optimizers.values()):
            held = stepped.parameters()
            if stepped.steps == 0 and any(one.grad is not None for one in held):
                if all(one._version == 0 or not one.is_leaf for one in held[:1]):
                    self.report("never", self.watch.backward_at, count=backwards, made=stepped.at[1])
                return
