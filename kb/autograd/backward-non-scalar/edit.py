"""A loss that is one number for each sample, or each element."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.module import Module
from torchwhy.source.nodes import argument, constant, last_name

SQUARES = ("pow", "square", "abs")  # of a difference: the elements of a loss


def averaged(line: FailingLine, values: Values) -> LineEdit | None:
    """`.mean()` behind a loss that was made with reduction="none", or is a square or an absolute value, where
    the loss is made.
    """
    call = line.call
    loss = call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
    made = line.made_by(loss)
    if made is None or made[0].source is None or last_name(getattr(call, "func", None)) != "backward":
        return None
    place, node = made
    if not _is_of_elements(made[0].source, node):
        return None
    call_or_name = isinstance(node, ast.Call | ast.Name)
    edit = place.put(node, "{it}.mean()" if call_or_name else "({it}).mean()")
    return edit._replace(alone=True) if edit is not None else None


def _is_of_elements(source: Module, node: ast.expr) -> bool:
    """Whether nothing has joined the elements of a loss. A product may be one with a mask, whose mean is
    another one.
    """
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return _is_difference(node.left)
    if not isinstance(node, ast.Call):
        return False
    if last_name(node.func) in SQUARES:
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        return any(map(_is_difference, [*node.args[:1], *([owner] if owner is not None else [])]))
    makers = [node, *(each for each in source.values(node.func) if isinstance(each, ast.Call))]
    return any(constant(argument(each, -1, "reduction")) == "none" for each in makers)


def _is_difference(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
