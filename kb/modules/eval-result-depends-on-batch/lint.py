"""A padded batch's last column taken for each sequence's last step; weights over the samples of a batch."""

# the script packs by a flag that its class keeps
import ast

from torchwhy.lint import patterns as p

PADDING = (
    "is padding for all but the longest sequence of the batch",
    "除批次中最长的序列外，取到的都是填充",
)
PACK = (
    "pack the batch (pack_padded_sequence) and use the returned state, or gather at lengths - 1",
    "用 pack_padded_sequence 打包并使用返回的状态，或按 lengths - 1 取值",
)
SOFTMAX = ("torch.softmax", "torch.nn.functional.softmax")
IN_REPRO = None


def find(module):
    yield from weights_over_the_batch(module)
    yield from last_columns(module)


def weights_over_the_batch(module):
    """`softmax(scores, dim=0)`, where what it weights is then summed over another dimension."""
    for node in (*module.by_type[ast.BinOp], *module.by_type[ast.Call]):
        pair = (node.left, node.right) if isinstance(node, ast.BinOp) else node.args[:2]
        product = isinstance(node, ast.Call) and p.is_call(module, node, "torch.matmul", "torch.bmm")
        matrix = product or isinstance(getattr(node, "op", None), ast.MatMult)
        if not matrix and not isinstance(getattr(node, "op", None), ast.Mult):
            continue
        axis = None if matrix else summed_axis(module, node)
        for side in pair[:1] if matrix else pair if isinstance(axis, int) and axis > 0 else ():
            for call, dim in softmaxes(module, side):
                if p.constant(dim) == 0 and p.in_forward(module, node, 2):
                    axis_en, axis_zh = (
                        ("the last dimension", "最后一") if matrix else (f"dimension {axis}", f"第 {axis}")
                    )
                    yield p.wrong(
                        call,
                        code=p.text(call, 60),
                        says=(
                            f"makes weights that sum to 1 over dimension 0, and {axis_en} is summed with them",
                            f"得到的权重沿第 0 维和为 1，而用它们求和的是{axis_zh}维",
                        ),
                        fix=(
                            "take softmax over the dimension that is summed",
                            "在被求和的那一维上做 softmax",
                        ),
                    )


def softmaxes(module, node):
    """(call, its dim) of each softmax that a value is, with a dimension of one behind the others or without."""
    for value in module.values(node):
        while p.method(value) == "unsqueeze" and p.constant(p.argument(value, 0, "dim")) == -1:
            value = next(iter(module.values(value.func.value)))
        if p.is_call(module, value, *SOFTMAX):
            yield value, p.argument(value, 1, "dim")
        elif p.method(value) == "softmax" and not module.name(value.func).startswith("torch."):
            yield value, p.argument(value, 0, "dim")
        for made in p.makers(module, value.func) if isinstance(value, ast.Call) else ():
            if module.name(made.func) == "torch.nn.Softmax":
                yield value, p.argument(made, 0, "dim")


def summed_axis(module, product):
    """The dimension over which a product is summed, at once or by its name."""
    name = p.assigned(module, product)
    for call in module.methods("sum"):
        if call.func.value is product or (name and p.text(call.func.value) == name):
            return p.constant(p.argument(call, 0, "dim", "axis"))
    sums = (call for call in module.calls("torch.sum") if call.args[:1] == [product])
    return next((p.constant(p.argument(call, 1, "dim")) for call in sums), None)


def last_columns(module):
    packed = module.calls("torch.nn.utils.rnn.pack_padded_sequence")
    if packed or not module.calls("torch.nn.utils.rnn.pad_sequence"):
        return
    for node, call in p.last_steps(module):
        if isinstance(node.value, ast.Name):
            if any(module.name(made.func) in p.RECURRENT for made in p.makers(module, call.func)):
                yield p.wrong(node, code=p.text(node), says=PADDING, fix=PACK)
