"""Sizes (N,) and (N, 1) met in a hand-written loss or a metric, and gave (N, N)."""

from torchwhy_watch import Watching, graph, node_name, node_shape

MESSAGES = {
    "loss": (
        "the loss holds a {operation} of a {operand} and another size that gave {result}: every prediction meets every target",
        "损失中有一次 {operation}：{operand} 与另一形状广播成 {result}，每个预测都与每个目标配对",
    ),
    "equal": (
        "a comparison of {first} with {second} gave {result}: every prediction was compared with every target",
        "{first} 与 {second} 的比较得到 {result}：每个预测都与每个目标比较了一遍",
    ),
}
PAIRWISE = {"SubBackward": "subtraction", "MulBackward": "product"}
NODES, LOOKS = 12, 3


class Guard(Watching):
    def on_backward(self, loss, at):
        if loss.grad_fn is None or self.in_a_row("looks") > LOOKS:
            return
        for node in graph(loss, NODES):
            shape, operation = node_shape(node), PAIRWISE.get(node_name(node))
            if not operation or shape is None or len(shape) != 2 or not 1 < shape[0] == shape[1]:
                continue
            operands = [pair for pair in node.next_functions if pair[0] is not None]
            # two learned ones: a matrix of pairs that is meant
            operand = node_shape(*operands[0]) if len(operands) == 1 else None
            if operand in ((shape[0],), (shape[0], 1)):
                self.report("loss", at, operation=operation, operand=operand, result=shape)

    def on_equal(self, first, second, result, at):
        n, shapes = result.shape[0], [tuple(one.shape) for one in (first, second)]
        if n < 2 or result.shape[1] != n or set(shapes) != {(n,), (n, 1)}:
            return
        if first.data_ptr() != second.data_ptr():  # labels with themselves are meant
            self.report("equal", at, first=shapes[0], second=shapes[1], result=tuple(result.shape))
