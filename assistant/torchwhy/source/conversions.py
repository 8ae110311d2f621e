"""A value as another type, written where it was made."""

from __future__ import annotations

import ast

from .edit import OPERANDS, LineEdit, alone
from .edits import FailingLine
from .kinds import kind
from .module import Module
from .nodes import LinePart, argument, last_name, words
from .origins import origins

# By the method that converts to a type: the type's name in torch, and the class of its tensors.
TYPES = {"float": ("float32", "FloatTensor"), "long": ("long", "LongTensor")}
CONVERTING = words("float double half bfloat16 long int short byte bool type")
TENSORS = words("FloatTensor DoubleTensor HalfTensor LongTensor IntTensor Tensor")

Part = tuple[LinePart | None, str]


def converted(line: FailingLine, node: ast.expr | None, method: str) -> LineEdit | None:
    """What made a value of the failing line's file as one of another type (`float`, `long`)."""
    return all_converted(line, [node], method)


def all_converted(line: FailingLine, nodes: list[ast.expr | None], method: str) -> LineEdit | None:
    source = line.source
    found = [origins(source, each) for each in nodes] if source is not None else []
    if source is None or not found or not all(found):
        return None
    made = dict.fromkeys(each for some in found for each in some)
    return alone(line.put_all([_part(line, source, each, method) for each in made]))


def _part(line: FailingLine, source: Module, node: ast.expr, method: str) -> Part:
    name, (type_, tensor) = last_name(getattr(node, "func", None)), TYPES[method]
    if isinstance(node, ast.Call):
        given = argument(node, -1, "dtype")
        if given is not None and source.name(given).startswith("torch."):
            return source.place_of(given), f"{ast.unparse(given).rpartition('.')[0]}.{type_}"
        if name in CONVERTING and isinstance(node.func, ast.Attribute) and not node.args:
            return line.method_of(node), f".{method}()"
        if name in TENSORS:
            place = source.place_of(node.func)
            return place, place.written.removesuffix(name) + tensor if place is not None else ""
    place, of_torch = source.place_of(node), source.name(getattr(node, "func", None)).startswith("torch.")
    if place is None or not (of_torch or kind(source, node) == "tensor"):
        return None, ""
    if not isinstance(node, (*OPERANDS, ast.BinOp)):
        return None, ""
    written = f"({place.written})" if isinstance(node, ast.BinOp) else place.written
    return place, f"{written}.{method}()"
