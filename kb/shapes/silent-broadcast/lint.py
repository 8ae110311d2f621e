"""Tensors of (N, 1) and (N,), which broadcast to (N, N)."""

import ast

from torchwhy.lint import patterns as p

ELEMENTWISE = (ast.Sub, ast.Add, ast.Mult, ast.Div)
COMPARING = (ast.Eq, ast.NotEq, ast.Lt, ast.Gt)

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
    for node, left, right, op in pairs(module):
        one, other = p.shape(module, left), p.shape(module, right)
        if (crosses(one, other) or crosses(other, one)) and not (
            is_grid(left, right) or of_itself(module, left, right) or of_itself(module, right, left)
        ):
            yield p.wrong(node, code=p.text(node, 70), left=p.shown(one), right=p.shown(other))
        elif isinstance(op, ast.Sub):
            sides = [(is_column(module, each), is_row(module, each)) for each in (left, right)]
            if sorted(sides) == [(False, True), (True, False)]:
                texts = ["(N, 1)" if column else "(N,)" for column, _ in sides]
                yield p.wrong(node, code=p.text(node, 70), left=texts[0], right=texts[1])


def pairs(module):
    """(node, left, right, operation) of what combines two values element by element."""
    for node in module.by_type[ast.BinOp]:
        if isinstance(node.op, ELEMENTWISE):
            yield node, node.left, node.right, node.op
    for node in module.by_type[ast.Compare]:
        if len(node.ops) == 1 and isinstance(node.ops[0], COMPARING):
            yield node, node.left, node.comparators[0], node.ops[0]


def is_grid(*sides):
    """Whether every pair is asked for: `x[:, None] - x`, `x.unsqueeze(1) - x` in one expression."""
    axes = (each.slice for side in sides for each in p.inside(side, ast.Subscript))
    axes = (part for each in axes if isinstance(each, ast.Tuple) for part in each.elts)
    new_axis = any(isinstance(part, ast.Constant) and part.value is None for part in axes)
    return new_axis or any(p.attributes_in(side, "unsqueeze") for side in sides)


def of_itself(module, column, row):
    """Whether the one is the other with a dimension more, under names of their own: `c.unsqueeze(-1)` and `c`,
    also with something added: `c.unsqueeze(-1) - 3`.
    """
    if isinstance(column, ast.BinOp):
        return of_itself(module, column.left, row) or of_itself(module, column.right, row)
    rows = {ast.dump(each) for each in module.values(row)}
    wider = (value.func.value for value in module.values(column) if p.method(value) == "unsqueeze")
    return any(not rows.isdisjoint(map(ast.dump, module.values(each))) for each in wider)


def is_column(module, node, steps=6):
    """Whether a value is the output of a model that ends with a layer of one unit: (N, 1)."""
    if steps <= 0 or not p.surely(module, node):
        return False
    made = [p.makers(module, value.func) for value in module.values(node)]
    return all(each and all(ends_with_one(module, one, steps - 1) for one in each) for each in made)


def ends_with_one(module, made, steps):
    """Whether a layer, the last one of a Sequential, or what forward returns has one unit."""
    name = module.name(made.func)
    if steps <= 0 or any(isinstance(arg, ast.Starred) for arg in made.args):
        return False
    if name == "torch.nn.Linear":
        return p.constant_of(module, p.argument(made, 1, "out_features")) == 1
    if name == "torch.nn.Sequential":
        last = p.makers(module, made.args[-1]) if made.args else []
        return len(last) == 1 and ends_with_one(module, last[0], steps - 1)
    home, forward = p.forward_of(module, made) or (module, None)
    values = p.returned(forward) if forward else []
    return bool(values) and all(is_column(home, value, steps - 2) for value in values)


def is_row(module, node, steps=4):
    """Whether a value is such an output without its dimension of one, or is computed from it: (N,)."""
    values = module.values(node)
    return steps > 0 and bool(values) and all(drops(module, value, steps) for value in values)


def drops(module, value, steps):
    if isinstance(value, ast.BinOp):
        return any(is_row(module, side, steps - 1) for side in (value.left, value.right))
    name = p.method(value)
    if name in ("detach", "float", "clamp"):
        return is_row(module, value.func.value, steps - 1)
    dims = (
        [p.constant(arg) for arg in value.args] if name in ("squeeze", "view", "reshape", "flatten") else None
    )
    dropping = {"squeeze": ([-1], [1]), "flatten": ([],)}.get(name, ([-1],))
    return dims in dropping and is_column(module, value.func.value)


def crosses(column, row):
    """(N, 1) and (N,), where N is one size and more than 1."""
    if column is None or row is None or len(column) != 2 or len(row) != 1:
        return False
    return column[1] == 1 and column[0] == row[0] and row[0] not in (1, None)
