"""Sizes (N,) and (N, 1) met in a hand-written loss or a metric, and gave (N, N)."""

from torchwhy_watch import graph, node_name, node_shape

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
PAIRWISE = ("SubBackward", "MulBackward")
NODES, LOOKS = 12, 3


class Guard:
    def __init__(self, watch):
        self.watch, self.looks = watch, 0

    def on_backward(self, loss, at):
        if self.looks >= LOOKS or loss.grad_fn is None:
            return
        self.looks += 1
        for node in graph(loss, NODES):
            shape = node_shape(node)
            if node_name(node) not in PAIRWISE or shape is None or len(shape) != 2 or shape[0] != shape[1]:
                continue
            operands = [pair for pair in node.next_functions if pair[0] is not None]
            if len(operands) != 1 or shape[0] < 2:
                continue  # two learned ones: a matrix of pairs that is meant
            operand = node_shape(*operands[0])
            if operand is not None and operand in ((shape[0],), (shape[0], 1)):
                operation = "subtraction" if node_name(node) == "SubBackward" else "product"
                self.watch.report("loss", at, operation=operation, operand=operand, result=shape)

    def on_equal(self, first, second, result, at):
        n = result.shape[0]
        if n < 2 or result.shape[1] != n or {tuple(first.shape), tuple(second.shape)} != {(n,), (n, 1)}:
            return
        if first.data_ptr() != second.data_ptr():  # labels with themselves are meant
            self.watch.report(
                "equal", at, first=tuple(first.shape), second=tuple(second.shape), result=tuple(result.shape)
            )
