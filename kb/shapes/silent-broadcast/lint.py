"""Tensors of (N, 1) and (N,), which broadcast to (N, N)."""

import ast

from torchwhy.lint.kinds import forward_of, makers, returned
from torchwhy.lint.module import argument, constant
from torchwhy.lint.rule import wrong
from torchwhy.lint.shapes import constant_of, shape

SAYS = {
    "en": "`{code}` combines {left} with {right}: the result has every pair of samples",
    "zh": "`{code}` 将 {left} 与 {right} 组合：结果是所有样本的两两组合",
}
FIX = {
    "en": "give both the same shape: `.squeeze(-1)` of the one, or `.unsqueeze(-1)` of the other",
    "zh": "让两者形状相同：对前者 `.squeeze(-1)`，或对后者 `.unsqueeze(-1)`",
}
IN_REPRO = "error = shape_of(model(x)) - y"


def find(module):
    for node in [*module.by_type[ast.BinOp], *module.by_type[ast.Compare]]:
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Sub | ast.Add | ast.Mult | ast.Div):
            continue
        if isinstance(node, ast.Compare) and (
            len(node.ops) > 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.Lt | ast.Gt)
        ):
            continue
        left, right = (
            (node.left, node.right) if isinstance(node, ast.BinOp) else (node.left, node.comparators[0])
        )
        one, other = shape(module, left), shape(module, right)
        if (crosses(one, other) or crosses(other, one)) and not (
            is_grid(left, right) or of_itself(module, left, right) or of_itself(module, right, left)
        ):
            yield wrong(node, code=ast.unparse(node)[:70], left=shown(one), right=shown(other))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            sides = [(is_column(module, each), is_row(module, each)) for each in (left, right)]
            if sides in ([(True, False), (False, True)], [(False, True), (True, False)]):
                texts = ["(N, 1)" if column else "(N,)" for column, _ in sides]
                yield wrong(node, code=ast.unparse(node)[:70], left=texts[0], right=texts[1])


def is_grid(*sides):
    """Whether every pair is asked for: `x[:, None] - x`, `x.unsqueeze(1) - x` in one expression."""
    for side in (inner for each in sides for inner in ast.walk(each)):
        if isinstance(side, ast.Subscript) and isinstance(side.slice, ast.Tuple):
            if any(isinstance(each, ast.Constant) and each.value is None for each in side.slice.elts):
                return True
        if isinstance(side, ast.Attribute) and side.attr == "unsqueeze":
            return True
    return False


def of_itself(module, column, row):
    """Whether the one is the other with a dimension more, under names of their own: `c.unsqueeze(-1)` and `c`,
    also with something added: `c.unsqueeze(-1) - 3`.
    """
    if isinstance(column, ast.BinOp):
        return of_itself(module, column.left, row) or of_itself(module, column.right, row)
    rows = {ast.dump(each) for each in module.values(row)}
    return any(
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr == "unsqueeze"
        and not rows.isdisjoint(ast.dump(each) for each in module.values(value.func.value))
        for value in module.values(column)
    )


def is_column(module, node, steps=6):
    """Whether a value is the output of a model that ends with a layer of one unit: (N, 1)."""
    values = module.values(node)
    return (
        steps > 0
        and bool(values)
        and all(isinstance(value, ast.Call) and gives_column(module, value, steps) for value in values)
    )


def gives_column(module, call, steps):
    made = makers(module, call.func)
    return bool(made) and all(ends_with_one(module, each, steps - 1) for each in made)


def ends_with_one(module, made, steps):
    """Whether a layer, the last one of a Sequential, or what forward returns has one unit."""
    name = module.name(made.func)
    if steps <= 0 or any(isinstance(arg, ast.Starred) for arg in made.args):
        return False
    if name == "torch.nn.Linear":
        return constant_of(module, argument(made, 1, "out_features")) == 1
    if name == "torch.nn.Sequential":
        last = makers(module, made.args[-1]) if made.args else []
        return len(last) == 1 and ends_with_one(module, last[0], steps - 1)
    found = forward_of(module, made)
    values = returned(found[1]) if found else []
    return bool(values) and all(is_column(found[0], value, steps - 2) for value in values)


def is_row(module, node, steps=4):
    """Whether a value is such an output without its dimension of one, or is computed from it: (N,)."""
    values = module.values(node)
    return steps > 0 and bool(values) and all(drops(module, value, steps) for value in values)


def drops(module, value, steps):
    if isinstance(value, ast.BinOp):
        return any(is_row(module, side, steps - 1) for side in (value.left, value.right))
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute)):
        return False
    if value.func.attr in ("detach", "float", "clamp"):
        return is_row(module, value.func.value, steps - 1)
    if value.func.attr == "flatten" and not value.args:
        return is_column(module, value.func.value)
    dims = [constant(arg) for arg in value.args]
    taken = dims in ([-1], [1]) if value.func.attr == "squeeze" else dims == [-1]
    return value.func.attr in ("squeeze", "view", "reshape") and taken and is_column(module, value.func.value)


def crosses(column, row):
    """(N, 1) and (N,), where N is one size and more than 1."""
    if column is None or row is None or len(column) != 2 or len(row) != 1:
        return False
    return column[1] == 1 and column[0] == row[0] and row[0] not in (1, None)


def shown(shape):
    return "(" + ", ".join(str(size) for size in shape) + ("," if len(shape) == 1 else "") + ")"
