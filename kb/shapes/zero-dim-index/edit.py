"""A single number that is used like a list."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.nodes import constant, last_name


def the_number(line: FailingLine, values: Values) -> LineEdit | None:
    """`.item()` in place of the only index 0 of the failing line; the index alone goes where it is trained."""
    source = line.file
    found = [
        each
        for each in source.of(ast.Subscript)
        if each.lineno == line.here.line and constant(each.slice) in (0, -1)
        if isinstance(each.ctx, ast.Load)
    ]
    if len(found) != 1:
        return None
    above = source.parent[found[0]]
    written = ast.unparse(found[0]).removesuffix(f"[{ast.unparse(found[0].slice)}]")
    if isinstance(above, ast.Attribute):  # `loss[0].backward()`: of the tensor itself
        return line.put(found[0], written)
    if isinstance(above, ast.Return) or _is_trained(line, found[0]):
        return line.put(found[0], written)
    return line.put(found[0], written.removesuffix(".data") + ".item()")


def _is_trained(line: FailingLine, node: ast.expr) -> bool:
    """Whether backward() is called on what the statement sets."""
    statement = line.source.statement(node) if line.source is not None else None
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    names = {last_name(each) for each in targets if isinstance(each, ast.expr)}
    losses = {
        last_name(each.func.value) for each in line.calls("backward") if isinstance(each.func, ast.Attribute)
    }
    return not names.isdisjoint(losses)
