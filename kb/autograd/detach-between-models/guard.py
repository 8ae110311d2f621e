"""A loss trains what is only to weigh it, to be its target, or belongs to another loss."""

from torchwhy_watch import Watching, behind, following, graph, node_name, nodes_from

MESSAGES = {
    "weight": (
        "the log-probability is multiplied by what has a gradient itself: this loss also trains whatever estimates that weight (an advantage?); multiply by its detach()",
        "与对数概率相乘的量自己也带梯度：这个损失会把估计该权重（优势函数？）的部分也一起训练；应乘以它的 detach()",
    ),
    "target": (
        "the target is made of what the trained model gives, and carries its gradient: the loss moves the target towards the prediction as well; detach() it, or compute it under no_grad()",
        "目标由正在训练的模型的输出算出，并带着它的梯度：损失也会把目标拉向预测；应对目标 detach()，或在 no_grad() 下计算",
    ),
    "foreign": (
        "this backward also gives gradients to parameters of {optimizer} (made at line {made}), and its next step uses them together with those of its own loss: detach() in between",
        "此处的 backward 也给 {optimizer}（第 {made} 行创建）的参数带来了梯度，它的下一步会把这些梯度和它自己损失的梯度一起用掉：中间应 detach()",
    ),
}
STEPS = 3
NAMES = {
    "chosen": "Gather Index Select Take",
    "log": "LogSoftmax Log",
    "passed": "Sum Mean Neg Stack Cat Mul Div Exp Clamp Minimum Sub Add Where Squeeze",
    "chance": "Softmax Sigmoid Exp",
    "of_chance": "LogSoftmax Log Softmax Sub Div Clamp Neg Pow",
    "distance": "MseLoss SmoothL1Loss HuberLoss L1Loss",
}
KINDS = {kind: frozenset(one + "Backward" for one in names.split()) for kind, names in NAMES.items()}


class Guard(Watching):
    def begin(self):
        self.given, self.before, self.steps, self.asked = {}, {}, 0, None

    def on_backward(self, loss, at):
        self.before = self._gradients()
        again, self.asked = at == self.asked, None  # now nodes know their lines
        if self.doubled(at) or again:
            self.trained = self.watch.trained()
            for node in graph(loss):
                key = "weight" if weighs(node, self) else "target" if self._is_target(node) else ""
                line = self.watch.line_of(node) if key else None
                if line:
                    self.report(key, line)
                    return
                if key:
                    self.watch.ask_lines(at)
                    self.asked = at
                    return

    def learns(self, node):
        """The parameters of an optimizer that a node's gradient goes to, but for single numbers."""
        leaves = [getattr(one, "variable", None) for one in nodes_from(node)]
        return {id(one) for one in leaves if one is not None and one.numel() > 1 and id(one) in self.trained}

    def _is_target(self, node):
        """A distance whose target is data plus a multiple of what the same model gives. Where the program takes
        derivatives itself, both sides may be parts of an equation.
        """
        if self.watch.derived:
            return False
        inner = behind(following(node)[0]) if node_name(node) in ("PowBackward", "AbsBackward") else None
        if inner is not None and node_name(inner) == "SubBackward":
            node = inner
        elif node_name(node) not in KINDS["distance"]:
            return False
        sides = following(node)
        return len(sides) == 2 and any(
            bootstraps(one) and self.learns(one) & self.learns(other) for one, other in (sides, sides[::-1])
        )

    def _gradients(self):
        """By optimizer which gradient its first one is, and how often it was written to; none of a single one."""
        several = list(self.watch.optimizers.values()) if len(self.watch.optimizers) > 1 else ()
        first = {
            one: next((each.grad for each in one.parameters() if each.grad is not None), None)
            for one in several
        }
        return {one: (id(grad), grad._version) if grad is not None else None for one, grad in first.items()}

    def on_backward_end(self):
        for stepped, now in self._gradients().items():
            if now is None or self.before.get(stepped) is None:
                self.given.pop(stepped, None)
            if now is not None and now != self.before.get(stepped):
                self.given.setdefault(stepped, []).append((self.steps, self.watch.backward_at))

    def on_zero_grad(self, owner, at):
        for stepped in list(self.given):
            first = next(iter(stepped.parameters()), None)
            if owner is stepped.ref() or (
                hasattr(owner, "parameters") and any(one is first for one in owner.parameters())
            ):
                del self.given[stepped]

    def on_rest(self):
        self.given = {}

    def on_stepped(self, stepped, at):
        """Its gradients come from two lines, and another optimizer made the first one's step."""
        given = self.given.pop(stepped, None) or [(-1, None)]
        last, line = given[-1]
        foreign = [one for steps, one in given if steps < last == self.steps and one != line]
        if self.in_a_row(id(stepped), bool(foreign)) == STEPS:
            self.report("foreign", foreign[0], optimizer=stepped.name, made=stepped.at[1])
        self.steps += 1


def only(node):
    """Of a product, sum or quotient with data the other side; None where both are computed."""
    sides = following(node)
    return sides[0] if len(sides) == 1 else None


def chosen_from(node):
    """What a node that gives the logarithm of the chance of what was chosen makes it from; None for another."""
    for _ in range(24):
        node = behind(node)
        name, sides = (node_name(node), following(node)) if node is not None else ("", ())
        if not sides or name not in KINDS["chosen"] | KINDS["passed"]:
            return None
        made = behind(sides[0])
        if (
            name in KINDS["chosen"]
            and made is not None
            and (node_name(made) in KINDS["log"] or normalised(made))
        ):
            return before_softmax(made)
        if name == "DivBackward" and node_name(sides[0]) == "NegBackward":  # of a normal distribution
            return before_softmax(sides[0])
        node = sides[0]
    return None


def normalised(node):
    return node_name(node) == "SubBackward" and "LogsumexpBackward" in map(node_name, following(node))


def before_softmax(node):
    while node is not None and following(node) and node_name(node) in KINDS["of_chance"]:
        node = behind(following(node)[0])
    return node


def weighs(node, guard):
    """A product of a log-probability with what learns, is no probability and not made of the same outputs."""
    sides = following(node)
    if node_name(node) != "MulBackward" or len(sides) != 2:
        return False
    for one, other in (sides, sides[::-1]):
        source, made = chosen_from(one), behind(other)
        if source is not None and made is not None and node_name(made) not in KINDS["chance"]:
            return source not in nodes_from(other) and bool(guard.learns(other))
    return False


def bootstraps(node):
    """Whether a node is data plus a multiple of something."""
    node = behind(node)
    while node is not None and node_name(node) in ("StackBackward", "CatBackward"):
        node = behind(following(node)[0])
    if node is None or node_name(node) != "AddBackward" or only(node) is None:
        return False
    made = behind(only(node))
    return made is not None and node_name(made) == "MulBackward" and only(made) is not None
