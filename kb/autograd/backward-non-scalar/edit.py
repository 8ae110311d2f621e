"""A loss that is one number for each sample, or each element."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import constant, last_name, number_of
from torchwhy.source.settings import option

SQUARES = ("pow", "square", "abs")  # of a difference


def averaged(line: FailingLine, values: Values) -> LineEdit | None:
    """The reduction of the loss functions as "mean", or `.mean()` behind a squared difference, where the loss
    is made.
    """
    call = line.call
    loss = call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None
    made = line.made_by(loss)
    if made is None or made[0].source is None or call is None or last_name(call.func) != "backward":
        return None
    place, node = made
    source = made[0].source
    unreduced = {each: None for part in _added(node) for each in _reductions(source, part)}
    if unreduced:
        edit = place.put_all([(source.place_of(each), '"mean"') for each in unreduced])
    else:
        edit = place.put(node, "({it}).mean()") if _is_square(node) else None
    return alone(edit)


def _added(node: ast.expr) -> Iterator[ast.expr]:
    """The terms of a loss, without the numbers that they are divided by or taken times."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _added(node.left)
        yield from _added(node.right)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and number_of(node.right):
        yield from _added(node.left)
    else:
        yield node


def _reductions(source: Module, node: ast.expr) -> Iterator[ast.expr]:
    """The "none" of the loss that a term is: in the call itself, or where its object was made, if all that it
    is called for is a term. (A product may be one with a mask, whose mean is another one.)
    """
    if not isinstance(node, ast.Call):
        return
    made = [each for each in source.values(node.func) if isinstance(each, ast.Call)]
    others = source.called_as(last_name(node.func)) if made else []
    if any(not _is_term(source, each) for each in others):
        return
    for each in [node, *made]:
        given = option(source, each, "reduction")
        if given is not None and constant(given) == "none":
            yield given


def _is_term(source: Module, call: ast.Call) -> bool:
    above = source.parent[call]
    if isinstance(above, ast.BinOp):
        return isinstance(above.op, ast.Add | ast.Sub | ast.Div)
    return isinstance(above, ast.Assign | ast.AugAssign | ast.Return)


def _is_square(node: ast.expr) -> bool:
    """Whether it is the square or the size of a difference, element by element."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return _is_difference(node.left)
    if not isinstance(node, ast.Call) or last_name(node.func) not in SQUARES:
        return False
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return any(map(_is_difference, [*node.args[:1], *([owner] if owner is not None else [])]))


def _is_difference(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
