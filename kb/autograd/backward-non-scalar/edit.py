"""A loss that is one number for each sample, or each element."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import argument, constant, last_name, receiver
from torchwhy.source.origins import origins
from torchwhy.source.settings import option

SQUARES = ("pow", "square", "abs")  # of a difference


def averaged(line: FailingLine, values: Values) -> LineEdit | None:
    """The reduction of the loss functions as "mean", or `.mean()` behind squared differences and the sums of
    each sample, where the loss is made.
    """
    call = line.failed
    loss = receiver(call)
    if loss is None or last_name(call.func) != "backward":
        return None
    place, node = line.made_by(loss) or (line, loss)
    source = place.source
    if source is None:
        return None
    terms = [*_terms(source, node)]
    parts = {each: '"mean"' for term in terms for each in _reductions(source, term)}
    parts |= {each: "({it}).mean()" for each in terms if _is_square(each)}
    parts |= {each: "{it}.mean()" for each in terms if _is_sum_of_each(source, each)}
    places = [(source.place_of(each), new) for each, new in parts.items()]
    return alone(place.put_all([(at, new.replace("{it}", at.written if at else "")) for at, new in places]))


def _terms(source: Module, node: ast.expr) -> Iterator[ast.expr]:
    """The terms of a loss, where they were made, without the numbers that they are taken times."""
    made = origins(source, node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(source, node.left)
        yield from _terms(source, node.right)
    elif isinstance(node, ast.UnaryOp):
        yield from _terms(source, node.operand)
    elif (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mult | ast.Div)
        and _is_number(source, node.right)
    ):
        yield from _terms(source, node.left)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _is_number(source, node.left):
        yield from _terms(source, node.right)
    elif len(made) == 1 and made[0] is not node:
        yield from _terms(source, made[0])
    else:
        yield node


def _is_number(source: Module, node: ast.expr) -> bool:
    made = origins(source, node)
    return bool(made) and all(isinstance(constant(each), int | float) for each in made)


def _is_sum_of_each(source: Module, node: ast.expr) -> bool:
    """Whether it is summed along one dimension, such as the last one, and not over all."""
    if not isinstance(node, ast.Call) or last_name(node.func) != "sum":
        return False
    of_torch = source.name(node.func) == "torch.sum"
    return type(constant(argument(node, int(of_torch), "dim"))) is int


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
    owner = receiver(node)
    return any(map(_is_difference, [*node.args[:1], *([owner] if owner is not None else [])]))


def _is_difference(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
