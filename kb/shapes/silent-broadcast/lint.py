"""Tensors of (N, 1) and (N,), which broadcast to (N, N)."""

import ast

from assistant.lint.rule import wrong
from assistant.lint.shapes import shape

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
        if crosses(one, other) or crosses(other, one):
            yield wrong(node, code=ast.unparse(node)[:70], left=shown(one), right=shown(other))


def crosses(column, row):
    """(N, 1) and (N,), where N is one size and more than 1."""
    if column is None or row is None or len(column) != 2 or len(row) != 1:
        return False
    return column[1] == 1 and column[0] == row[0] and row[0] not in (1, None)


def shown(shape):
    return "(" + ", ".join(str(size) for size in shape) + ("," if len(shape) == 1 else "") + ")"
