"""A reshape to a permutation of the tensor's own sizes: the shape fits, the elements do not."""

import ast

from torchwhy.lint.kinds import makers
from torchwhy.lint.module import constant
from torchwhy.lint.rule import wrong
from torchwhy.lint.shapes import shape, sizes

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
        tensor = ast.unparse(call.func.value)
        given = (
            call.args[0].elts
            if len(call.args) == 1 and isinstance(call.args[0], ast.Tuple | ast.List)
            else call.args
        )
        order = [dimension(module, each, tensor, call) for each in given]
        if (
            len(order) > 2
            and None not in order
            and sorted(order) == list(range(len(order)))
            and order != sorted(order)
        ):
            yield wrong(call, call=ast.unparse(call), tensor=tensor)
            continue
        if len(given) == 4 and (heads_before_time(module, call, given) or splits_last(given, order)):
            yield wrong(call, call=ast.unparse(call), tensor=tensor)
            continue
        own, new = shape(module, call.func.value), sizes(module, call.args)
        known = (
            own is not None
            and new is not None
            and len(own) > 2
            and all(isinstance(size, int) for size in (*own, *new))
        )
        if known and own != new and sorted(own) == sorted(new) and 1 not in own:
            yield wrong(call, call=ast.unparse(call), tensor=tensor)


def heads_before_time(module, call, given):
    """`q.view(B, heads, T, size)` of a q that a linear layer made from (B, T, C): the heads are no axis yet."""
    source = behind_linear(module, call.func.value)
    if source is None:
        return False
    name = ast.unparse(source)
    order = [dimension(module, each, name, None) for each in given]
    return order[0] == 0 and order[2] == 1 and order[1] is None and "-1" not in ast.unparse(given[1])


def splits_last(given, order):
    """`t.view(b, heads, n, d // heads)` of a t of (b, n, d): the last axis is cut, and not put behind n."""
    last = given[3]
    return (
        order == [0, None, 1, None]
        and isinstance(last, ast.BinOp)
        and isinstance(last.op, ast.FloorDiv)
        and ast.unparse(last.right) == ast.unparse(given[1])
    )


def behind_linear(module, node, steps=5):
    """The tensor x behind `linear(x)`, `linear(x).chunk(3, dim=-1)[0]`, `linear(x).split(...)`."""
    if steps <= 0:
        return None
    if isinstance(node, ast.Name):
        bound = module.bindings(node)
        return (
            behind_linear(module, bound[0].value, steps - 1) if len(bound) == 1 and bound[0].value else None
        )
    if isinstance(node, ast.Subscript):
        return behind_linear(module, node.value, steps - 1)
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("chunk", "split", "contiguous"):
        return behind_linear(module, node.func.value, steps - 1)
    layers = makers(module, node.func)
    linear = layers and all(module.name(layer.func) == "torch.nn.Linear" for layer in layers)
    return node.args[0] if linear and len(node.args) == 1 and isinstance(node.args[0], ast.Name) else None


def dimension(module, node, tensor, call):
    """Which size of the tensor an argument is: x.shape[2], x.size(2), or a name unpacked from x.shape."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == f"{tensor}.shape":
        return constant(node.slice)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == f"{tensor}.size" and node.args:
        return constant(node.args[0])
    if isinstance(node, ast.Name):
        found = [each for each in module.bindings(node) if each.part == "item" and each.value is not None]
        if len(found) == 1 and ast.unparse(found[0].value) in (f"{tensor}.shape", f"{tensor}.size()"):
            used = call.func.value if call is not None else found[0].value
            return found[0].index if call is None or same_tensor(module, found[0].value, used) else None
    return None


def same_tensor(module, measured, used):
    """Whether the name still stands for the tensor whose sizes were unpacked."""
    inner = measured.func.value if isinstance(measured, ast.Call) else measured.value
    if not isinstance(inner, ast.Name) or not isinstance(used, ast.Name):
        return False
    return [id(each.node) for each in module.bindings(inner)] == [
        id(each.node) for each in module.bindings(used)
    ]
