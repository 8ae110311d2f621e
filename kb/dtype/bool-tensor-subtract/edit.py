"""A mask that is inverted by arithmetic."""

import ast

from torchwhy.source.edits import OPERANDS, FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import constant, number_of


def inverted(line: FailingLine, values: Values) -> LineEdit | None:
    """`~mask` for the only `1 - mask`, or `-mask`, of the failing line."""
    source = line.source
    there = (
        [each for each in source.of(ast.BinOp, ast.UnaryOp) if each.lineno == line.here.line]
        if source
        else []
    )
    found = [each for each in there if isinstance(each.op, ast.Sub | ast.USub) and constant(each) is None]
    node = found[0] if len(found) == 1 else None
    if isinstance(node, ast.BinOp):
        mask = node.right if number_of(node.left) == 1 else None
    else:
        mask = node.operand if node is not None else None
    if mask is None:
        return None
    written = ast.unparse(mask)
    return alone(line.put(node, f"~{written}" if isinstance(mask, OPERANDS) else f"~({written})"))
