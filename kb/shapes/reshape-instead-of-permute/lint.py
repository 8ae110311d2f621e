"""A reshape to a permutation of the tensor's own sizes: the shape fits, the elements do not."""

import ast

from torchwhy.lint import patterns as p

SAYS = {
    "en": "`{call}` has the sizes of {tensor} in another order: it cuts the data anew instead of turning the axes",
    "zh": "`{call}` 只是把 {tensor} 的各维大小换了顺序：它重新切分数据，而不是交换维度",
}
FIX = {
    "en": "use `{tensor}.permute(...)` or transpose",
    "zh": "使用 `{tensor}.permute(...)` 或 transpose",
}
IN_REPRO = "turn(lambda x: x.reshape(3, 4, 6))"


def find(module):
    for call in module.methods("reshape", "view"):
        in_one = len(call.args) == 1 and isinstance(call.args[0], ast.Tuple | ast.List)
        asked = call.args[0].elts if in_one else call.args
        if turns(module, call, asked) or is_permuted(
            p.shape(module, call.func.value), p.sizes(module, call.args)
        ):
            yield p.wrong(call, call=p.text(call), tensor=p.text(call.func.value))


def turns(module, call, asked):
    """Whether the sizes that are asked for are the tensor's own in another order, or split the wrong axis."""
    order = [dimension(module, each, p.text(call.func.value), call) for each in asked]
    if len(order) > 2 and None not in order and order != sorted(order) == list(range(len(order))):
        return True
    return len(asked) == 4 and (splits_last(asked, order) or heads_before_time(module, call, asked))


def is_permuted(own, new):
    """Whether both shapes are known, and the one has the sizes of the other in another order."""
    if own is None or new is None or len(own) <= 2 or not all(isinstance(size, int) for size in (*own, *new)):
        return False
    return own != new and sorted(own) == sorted(new) and 1 not in own


def heads_before_time(module, call, asked):
    """`q.view(B, heads, T, size)` of a q that a linear layer made from (B, T, C): the heads are no axis yet."""
    source = behind_linear(module, call.func.value)
    if source is None:
        return False
    order = [dimension(module, each, p.text(source), None) for each in asked]
    return order[:3] == [0, None, 1] and "-1" not in p.text(asked[1])


def splits_last(asked, order):
    """`t.view(b, heads, n, d // heads)` of a t of (b, n, d): the last axis is cut, and not put behind n."""
    last = asked[3]
    is_quotient = isinstance(last, ast.BinOp) and isinstance(last.op, ast.FloorDiv)
    return order == [0, None, 1, None] and is_quotient and p.text(last.right) == p.text(asked[1])


def behind_linear(module, node, steps=5):
    """The tensor x behind `linear(x)`, `linear(x).chunk(3, dim=-1)[0]`, `linear(x).split(...)`."""
    source = None
    if isinstance(node, ast.Name):
        bound = module.bindings(node)
        source = bound[0].value if len(bound) == 1 else None
    elif isinstance(node, ast.Subscript):
        source = node.value
    elif p.method(node) in ("chunk", "split", "contiguous"):
        source = node.func.value
    elif isinstance(node, ast.Call):
        layers = [module.name(layer.func) for layer in p.makers(module, node.func)]
        linear = bool(layers) and set(layers) == {"torch.nn.Linear"}
        return node.args[0] if linear and len(node.args) == 1 and isinstance(node.args[0], ast.Name) else None
    return behind_linear(module, source, steps - 1) if source is not None and steps > 1 else None


def dimension(module, node, tensor, call):
    """Which size of the tensor an argument is: x.shape[2], x.size(2), or a name unpacked from x.shape."""
    if isinstance(node, ast.Subscript) and p.text(node.value) == f"{tensor}.shape":
        return p.constant(node.slice)
    if isinstance(node, ast.Call) and p.text(node.func) == f"{tensor}.size" and node.args:
        return p.constant(node.args[0])
    bound = module.bindings(node) if isinstance(node, ast.Name) else []
    bound = [each for each in bound if each.part == "item" and each.value is not None]
    if len(bound) != 1 or p.text(bound[0].value) not in (f"{tensor}.shape", f"{tensor}.size()"):
        return None
    if call is not None and not same_tensor(module, bound[0].value, call.func.value):
        return None
    return bound[0].index


def same_tensor(module, measured, used):
    """Whether the name still stands for the tensor whose sizes were unpacked."""
    inner = measured.func.value if isinstance(measured, ast.Call) else measured.value
    if not isinstance(inner, ast.Name) or not isinstance(used, ast.Name):
        return False
    one, other = ([each.node for each in module.bindings(name)] for name in (inner, used))
    return one == other
