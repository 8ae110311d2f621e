"""Shapes of tensors as far as literals settle them: a tuple of sizes, None for a size that is not known."""

from __future__ import annotations

import ast

from .kinds import class_made, makers
from .module import Module
from .nodes import argument, constant, last_name, returned, words

Shape = tuple[object, ...]  # a size is an int, a text (the same expression is the same size), or None
MAX_STEPS = 14
FILLED = words("randn rand zeros ones empty")
SAME = words(
    "relu sigmoid tanh softmax log_softmax exp log sqrt abs float double half long int bool to cuda cpu "
    "clone detach contiguous square sin cos neg clamp pow requires_grad_ add_ mul_ gelu dropout "
    "leaky_relu round floor type clamp_min mul add sub div normalize cumsum masked_fill bernoulli "
    "nan_to_num requires_grad"
)
REDUCING = words("sum mean max min argmax argmin std var norm all any prod amax amin logsumexp median")
SAME_LAYERS = words(
    "ReLU Sigmoid Tanh Dropout BatchNorm1d LayerNorm GELU LeakyReLU ELU Softmax LogSoftmax SiLU "
    "Identity Softplus Hardtanh BatchNorm2d"
)


def shape(module: Module, node: ast.expr | None, steps: int = MAX_STEPS) -> Shape | None:
    """The shape of what an expression stands for; None where the number of dimensions is not known."""
    if node is None or steps <= 0:
        return None
    return module.once("shape", node, None, lambda: _shape(module, node, steps))


def _shape(module: Module, node: ast.expr, steps: int) -> Shape | None:
    found = {_shape_of(module, value, steps - 1) for value in module.values(node)}
    return found.pop() if len(found) == 1 else None


def _shape_of(module: Module, node: ast.expr, steps: int) -> Shape | None:
    if isinstance(node, ast.Call):
        return _of_call(module, node, steps)
    if isinstance(node, ast.BinOp):
        left, right = shape(module, node.left, steps), shape(module, node.right, steps)
        if isinstance(node.op, ast.MatMult):
            return matmul(left, right)
        if left is not None and (right == () or _is_number(module, node.right)):
            return left
        if right is not None and (left == () or _is_number(module, node.left)):
            return right
        return broadcast(left, right)
    if isinstance(node, ast.UnaryOp):
        return shape(module, node.operand, steps)
    if isinstance(node, ast.Compare):
        return shape(module, node.left, steps)
    if isinstance(node, ast.Subscript):
        return _indexed(module, node, steps)
    if isinstance(node, ast.Name):
        return _of_batch(module, node, steps)
    if isinstance(node, ast.Attribute) and node.attr == "T":
        above = shape(module, node.value, steps)
        return above[::-1] if above else above
    return None


def _of_batch(module: Module, name: ast.Name, steps: int) -> Shape | None:
    """Of a name that a loop over a DataLoader of a TensorDataset binds: a batch of that tensor's rows."""
    found: set[Shape | None] = set()
    for each in module.bindings(name):
        target, iterated = each.node, each.value
        if isinstance(iterated, ast.Call) and module.name(iterated.func) == "builtins.enumerate":
            target = target.elts[1] if isinstance(target, ast.Tuple) and len(target.elts) == 2 else target
            iterated = iterated.args[0] if iterated.args else iterated
        names = target.elts if each.part == "each" and isinstance(target, ast.Tuple) else []
        if each.index >= len(names) or ast.unparse(names[each.index]) != name.id:
            return None
        rows = _rows(module, iterated)
        whole = shape(module, rows[each.index], steps) if each.index < len(rows) else None
        found.add((None, *whole[1:]) if whole else None)
    return found.pop() if len(found) == 1 else None


def _rows(module: Module, loader: ast.expr | None) -> list[ast.expr]:
    """What a loader gives batches of: the tensors of a TensorDataset, or of an own data set those that each
    item is a row of.
    """
    for made in makers(module, loader):
        if module.name(made.func) == "torch.utils.data.DataLoader":
            for data in makers(module, argument(made, 0, "dataset")):
                if module.name(data.func) == "torch.utils.data.TensorDataset":
                    return data.args
                return _rows_of_class(module, data)
    return []


def _rows_of_class(module: Module, data: ast.Call) -> list[ast.expr]:
    """`self.x` and `self.y` of a `__getitem__(self, i)` that returns `self.x[i], self.y[i]`."""
    owner = class_made(module, data)
    item = owner[1].methods.get("__getitem__") if owner is not None and owner[0] is module else None
    values = returned(item) if item is not None else []
    parts = values[0].elts if len(values) == 1 and isinstance(values[0], ast.Tuple) else []
    index = item.args.args[-1].arg if item is not None else ""
    rows = [
        each.value for each in parts if isinstance(each, ast.Subscript) and last_name(each.slice) == index
    ]
    return rows if len(rows) == len(parts) else []


def _is_number(module: Module, node: ast.expr) -> bool:
    return any(isinstance(constant(value), int | float) for value in module.values(node))


def broadcast(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of two tensors combined element by element."""
    if left is None or right is None:
        return None
    size = max(len(left), len(right))
    one, other = (1,) * (size - len(left)) + left, (1,) * (size - len(right)) + right
    return tuple(b if a == 1 else a if b == 1 or a == b else None for a, b in zip(one, other, strict=True))


def matmul(left: Shape | None, right: Shape | None) -> Shape | None:
    if not left or not right:
        return None
    if len(right) == 1:
        return left[:-1]
    return (*left[:-1], right[-1]) if len(left) >= 2 else (right[-1],)


def sizes(module: Module, nodes: list[ast.expr]) -> Shape | None:
    """The sizes that `f(a, b)` or `f((a, b))` is given."""
    if len(nodes) == 1 and isinstance(nodes[0], ast.Tuple | ast.List):
        nodes = nodes[0].elts
    if any(isinstance(each, ast.Starred) for each in nodes):
        return None
    found: list[object] = []
    for each in nodes:
        values = {constant(value) for value in module.values(each)}
        value = values.pop() if len(values) == 1 else None
        if isinstance(each, ast.Attribute) and each.attr == "shape":
            return None
        found.append(value if isinstance(value, int) and not isinstance(value, bool) else ast.unparse(each))
    return tuple(found)


def _of_call(module: Module, call: ast.Call, steps: int) -> Shape | None:
    dotted = module.name(call.func)
    last = dotted.rsplit(".", 1)[-1] if dotted else ""
    if dotted in {f"torch.{name}" for name in FILLED} and not any(k.arg == "size" for k in call.keywords):
        return sizes(module, call.args)
    if dotted in ("torch.randint", "torch.full", "torch.normal"):
        given = next((arg for arg in call.args if isinstance(arg, ast.Tuple | ast.List)), None)
        return sizes(module, [given]) if given is not None else None
    if dotted in ("torch.arange", "torch.linspace", "torch.randperm"):
        return (ast.unparse(call),)
    new = dotted in ("torch.tensor", "torch.FloatTensor", "torch.from_numpy", "torch.as_tensor")
    lists = module.values(call.args[0]) if new and call.args else []
    if len(lists) == 1 and isinstance(lists[0], ast.List):
        rows = lists[0].elts
        inner = [row for row in rows if isinstance(row, ast.List)]
        return (len(rows), len(inner[0].elts)) if inner else (len(rows),)
    if len(lists) == 1 and _is_column_of_frame(lists[0]):
        return (ast.unparse(lists[0]),)
    if dotted.startswith("torch.") and call.args:
        if (last == "where" and len(call.args) == 3) or last.endswith("_like"):
            return shape(module, call.args[0], steps)
        if last in ("matmul", "mm") and len(call.args) == 2:
            return matmul(shape(module, call.args[0], steps), shape(module, call.args[1], steps))
        return _of_method(module, last, shape(module, call.args[0], steps), call, 1)
    if isinstance(call.func, ast.Attribute):
        above = shape(module, call.func.value, steps)
        if above is not None:
            return _of_method(module, call.func.attr, above, call, 0)
    return _of_model(module, call, steps)


def _is_column_of_frame(node: ast.expr) -> bool:
    """Whether it is `df["price"].values` or `.to_numpy()`, behind a cast too."""
    while isinstance(node, ast.Call) and last_name(node.func) in ("to_numpy", "astype", "copy"):
        node = node.func.value  # type: ignore[attr-defined]
    column = node.value if isinstance(node, ast.Attribute) and node.attr == "values" else node
    while isinstance(column, ast.Call) and last_name(column.func) in ("astype", "fillna"):
        column = column.func.value  # type: ignore[attr-defined]
    return (
        isinstance(column, ast.Subscript) and isinstance(constant(column.slice), str) and column is not node
    )


def _of_method(module: Module, name: str, above: Shape | None, call: ast.Call, first: int) -> Shape | None:
    """The shape after `x.name(...)`; `first` is where its own arguments begin."""
    if above is None:
        return None
    if name in SAME:
        return above
    dim = constant(argument(call, first, "dim"))
    if name in REDUCING:
        if argument(call, first, "dim", "axis") is None:
            return () if not any(k.arg == "keepdim" for k in call.keywords) else None
        keep = argument(call, first + 1, "keepdim", "keepdims")
        if (
            not isinstance(dim, int)
            or name in ("max", "min", "median")
            or not -len(above) <= dim < len(above)
        ):
            return None
        at = dim % len(above)
        if keep is not None and constant(keep) is not False:
            return (*above[:at], 1, *above[at + 1 :]) if constant(keep) is True else None
        return (*above[:at], *above[at + 1 :])
    if name == "squeeze":
        return _squeezed(above, dim, argument(call, first, "dim") is None)
    if name == "unsqueeze" and isinstance(dim, int) and -len(above) - 1 <= dim <= len(above):
        at = dim if dim >= 0 else dim + len(above) + 1
        return (*above[:at], 1, *above[at:])
    if name in ("reshape", "view"):
        given = sizes(module, call.args[first:])
        return tuple(None if size == -1 else size for size in given) if given is not None else None
    if name == "flatten":
        start = constant(argument(call, first, "start_dim")) or 0
        return (
            (*above[:1], None) if start == 1 else (None,) if start == 0 and len(call.args) == first else None
        )
    if name == "t" and len(above) == 2:
        return above[::-1]
    return None


def _squeezed(above: Shape, dim: object, every: bool) -> Shape | None:
    if every:
        known = all(isinstance(size, int | str) for size in above)
        return tuple(size for size in above if size != 1) if known else None
    if not isinstance(dim, int) or not -len(above) <= dim < len(above):
        return None
    at = dim % len(above)
    return (*above[:at], *above[at + 1 :]) if above[at] == 1 else above if above[at] is not None else None


def _indexed(module: Module, node: ast.Subscript, steps: int) -> Shape | None:
    above = shape(module, node.value, steps)
    if above is None:
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    left: list[object] = []
    at = 0
    for part in parts:
        value = constant(part)
        if value is None and isinstance(part, ast.Constant):
            left.append(1)  # x[:, None]
            continue
        if at >= len(above) or value is Ellipsis:
            return None
        if isinstance(part, ast.Slice):
            lower, upper = constant(part.lower), constant(part.upper)
            whole = part.lower is None and part.upper is None
            known = isinstance(upper, int) and upper > 0 and part.step is None
            size = above[at] if whole else upper - (lower or 0) if known else None  # type: ignore[operator]
            left.append(size if whole or known else ast.unparse(part))
        elif not isinstance(value, int):
            if len(parts) > 1:
                return None
            left.append(ast.unparse(part))  # by an index tensor: as many rows as that has
        at += 1
    return (*left, *above[at:])


def _of_model(module: Module, call: ast.Call, steps: int) -> Shape | None:
    """Of a model's output: the input's shape with the last layer's width."""
    if not call.args or isinstance(call.args[0], ast.Starred):
        return None
    found = {
        _after(module, made, shape(module, call.args[0], steps), steps) for made in makers(module, call.func)
    }
    return found.pop() if len(found) == 1 else None


def _after(module: Module, made: ast.Call, above: Shape | None, steps: int) -> Shape | None:
    if above is None or steps <= 0:
        return None
    dotted = module.name(made.func)
    last = dotted.rsplit(".", 1)[-1]
    if dotted == "torch.nn.Sequential":
        for layer in made.args:
            inner = [] if isinstance(layer, ast.Starred) else makers(module, layer)
            above = _after(module, inner[0], above, steps - 1) if len(inner) == 1 else None
        return above
    if dotted.startswith("torch.nn."):
        if last == "Linear" and above:
            width = constant_of(module, argument(made, 1, "out_features"))
            return (*above[:-1], width)
        if last == "Flatten" and len(above) >= 2:
            return (above[0], None)
        return above if last in SAME_LAYERS else None
    owner = class_made(module, made)
    if owner is None or "forward" not in owner[1].methods:
        return None
    forward = owner[1].methods["forward"]
    values = returned(forward)
    names = [arg.arg for arg in forward.args.args]
    if len(values) != 1 or len(names) != 2:
        return None
    return _forwarded(owner[0], values[0], names[1], above, steps - 2)


def _forwarded(module: Module, node: ast.expr, parameter: str, above: Shape, steps: int) -> Shape | None:
    """The shape of an expression of forward(self, parameter), where the parameter has the shape `above`."""
    if steps <= 0:
        return None
    if isinstance(node, ast.Name):
        bound = module.bindings(node)
        if len(bound) == 1 and bound[0].part == "param":
            return above if node.id == parameter else None
        if len(bound) == 1 and bound[0].part == "whole" and bound[0].value is not None:
            return _forwarded(module, bound[0].value, parameter, above, steps - 1)
        return None
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        inner = _forwarded(module, node.func.value, parameter, above, steps - 1)
        return _of_method(module, node.func.attr, inner, node, 0)
    dotted = module.name(node.func)
    first = _forwarded(module, node.args[0], parameter, above, steps - 1) if node.args else None
    if dotted.startswith("torch."):
        return _of_method(module, dotted.rsplit(".", 1)[-1], first, node, 1)
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
        if node.func.value.id != "self":
            inner = _forwarded(module, node.func.value, parameter, above, steps - 1)
            return _of_method(module, node.func.attr, inner, node, 0)
        layers = makers(module, node.func)
        return _after(module, layers[0], first, steps - 1) if len(layers) == 1 else None
    return None


def constant_of(module: Module, node: ast.expr | None) -> object:
    """The only literal that an expression may stand for, else its text."""
    values = {constant(value) for value in module.values(node)} if node is not None else set()
    value = values.pop() if len(values) == 1 else None
    return value if value is not None else ast.unparse(node) if node is not None else None
