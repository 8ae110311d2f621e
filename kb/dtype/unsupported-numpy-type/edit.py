"""An array that torch takes, where from_numpy or tensor is given one that it does not take."""

import ast

from torchwhy.source.edits import OPERANDS, FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import constant, last_name

OBJECTS = ("values", "to_numpy", "astype")  # of a table, or of an array that was made one of objects


def straightened(line: FailingLine, values: Values) -> LineEdit | None:
    return _with(line, ".copy()")


def as_integers(line: FailingLine, values: Values) -> LineEdit | None:
    return _with(line, '.astype("int64")')


def as_numbers(line: FailingLine, values: Values) -> LineEdit | None:
    """Of a table's columns of different types; a text among them is named in the next error."""
    node = _given(line)
    of = node.func if isinstance(node, ast.Call) else node
    if not isinstance(of, ast.Attribute) or of.attr not in OBJECTS:
        return None
    if of.attr == "astype" and not _asks_for_objects(node):
        return None
    return _with(line, '.astype("float32")')


def _asks_for_objects(node: ast.expr | None) -> bool:
    given = node.args[:1] if isinstance(node, ast.Call) else []
    return any(last_name(each) == "object" or constant(each) in ("object", "O") for each in given)


def _given(line: FailingLine) -> ast.expr | None:
    call = line.call
    taken = call is not None and last_name(call.func) in ("from_numpy", "tensor", "as_tensor") and call.args
    return call.args[0] if call is not None and taken else None


def _with(line: FailingLine, method: str) -> LineEdit | None:
    node = _given(line)
    return alone(line.put(node, f"{{it}}{method}" if isinstance(node, OPERANDS) else f"({{it}}){method}"))
