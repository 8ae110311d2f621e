"""Several backward passes for each step whose sum is not the gradient of one large batch."""

from torchwhy_watch import CLASSIFYING, Watching, following, node_name, on_cpu

MESSAGES = {
    "undivided": (
        "{count} backward passes of a mean loss are summed for each step, without dividing it by {count}: unless it is divided later, the gradient is {count} times as large",
        "每一步累加 {count} 次平均损失的 backward，却没有除以 {count}：如果之后没有再除，梯度就放大为 {count} 倍",
    ),
    "divided": (
        "{count} backward passes of a mean loss are summed for each step, and each is divided by {divisor}: the gradient is {times} times that of the mean",
        "每一步累加 {count} 次平均损失的 backward，每次却除以 {divisor}：梯度是平均值的 {times} 倍",
    ),
    "unequal": (
        "the {count} batches of a step hold {least} to {most} targets that count, and the mean of their means is taken: a target in the smallest weighs {times} times one in the largest; sum, and divide by the targets of all",
        "每一步的 {count} 个小批里计入损失的目标有 {least} 到 {most} 个，取的却是各自平均值的平均：最小一批中的每个目标，权重是最大一批的 {times} 倍；应求和后除以全部目标数",
    ),
}
STEPS = 3
UNEQUAL = 1.5  # the largest batch is so many times the smallest
MEANS = frozenset(
    "NllLossBackward NllLoss2DBackward MseLossBackward BinaryCrossEntropyBackward L1LossBackward"
    " BinaryCrossEntropyWithLogitsBackward SmoothL1LossBackward MeanBackward".split()
)


class Guard(Watching):
    def begin(self):
        self.calls, self.counts, self.mixed, self.before = [], [], False, 0

    def on_loss(self, loss):
        self.mixed = self.mixed or loss.reduction != "mean"
        if self.before > 1 and loss.grad and loss.name in CLASSIFYING and on_cpu(loss.target, floating=False):
            self.counts.append(int((loss.target != loss.options.get("ignore_index", -100)).sum()))

    def on_backward(self, loss, at):
        self.calls.append((at, min(divisors(loss.grad_fn), default=0)))

    def on_zero_grad(self, owner, at):
        self.on_rest()

    def on_rest(self):
        self.calls, self.counts = [], []

    def on_stepped(self, stepped, at):
        calls, counts, mixed, before = self.calls, self.counts, self.mixed, self.before
        self.calls, self.counts, self.mixed, self.before = [], [], False, len(calls)
        line, divisor = calls[-1] if calls else (at, 0)
        told = {"count": len(calls), "divisor": divisor, "least": min(counts, default=0)}
        told.update(most=max(counts, default=0), times=len(calls) / max(divisor, 1))
        same = len(calls) > 1 and not mixed and len(set(calls)) == 1 and before in (0, len(calls)) and divisor
        fault = "undivided" if divisor == 1 else "divided" if divisor % (len(calls) or 1) else ""
        if not fault and len(counts) == len(calls) and told["most"] >= UNEQUAL * max(told["least"], 1):
            fault, told["times"] = "unequal", told["most"] / max(told["least"], 1)
        for key in MESSAGES:
            holds = same and fault == key and len(self.watch.optimizers) == 1
            if self.in_a_row(key, holds) == STEPS:
                self.report(key, line, **told)


def divisors(node, divisor=1):
    """By what the means in a sum are divided; none of what is multiplied or made otherwise."""
    name, sides = (node_name(node), following(node)) if node is not None else ("", ())
    if name in MEANS:
        yield divisor
    elif name == "AddBackward":
        for one in sides:
            yield from divisors(one, divisor)
    elif name == "DivBackward" and len(sides) == 1:
        by = node._saved_other
        if by is not None and by.dim() == 0 and on_cpu(by) and float(by) == int(by):
            yield from divisors(sides[0], divisor * int(by))
