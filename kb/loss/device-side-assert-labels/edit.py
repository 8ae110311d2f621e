"""Labels that count from 1, and a last layer with too few classes."""

import ast

from torchwhy.source.counts import only_count, where_given
from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.kinds import makers
from torchwhy.source.module import Module
from torchwhy.source.nodes import LinePart, argument, constant, last_name, words
from torchwhy.source.origins import origins
from torchwhy.source.own_file import value_of

DRAWING = words("randint integers randrange")  # from the first number on
TENSORS = words("tensor as_tensor LongTensor")


def from_nought(line: FailingLine, values: Values) -> LineEdit | None:
    """Labels that all were made from 1 to the number of classes, as those from 0."""
    source, call = line.file, line.failed
    output = call.args[0] if call.args else None
    shape = (line.record.shape(output) if output is not None else None) or line.record.inner("input")
    size = _last_width(source, output) if output is not None else None
    classes = shape[1] if shape and len(shape) > 1 else value_of(source, size) if size is not None else None
    if str(classes) != values["label"]:
        return None
    tables = [each.value for each in call.keywords if each.arg is None]
    target = given_at(call, "1|target") or argument(call, -1, "labels")
    made = (
        origins(source, tables[0], "labels")
        if target is None and len(tables) == 1
        else origins(source, target)
    )
    parts = [_one_less(source, each) for each in made]
    return alone(line.put_all(parts)) if parts else None


def _one_less(source: Module, node: ast.expr) -> tuple[LinePart | None, str]:
    place = source.place_of(node)
    if place is not None and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        if constant(node.right) == 1:
            return place, ast.unparse(node.left)
    if place is not None and isinstance(node, ast.Call) and _is_from_one(source, node):
        return place, f"{place.written} - 1"
    return None, ""


def _is_from_one(source: Module, node: ast.expr) -> bool:
    """Whether the numbers are drawn from 1 on, or written so."""
    if isinstance(node, ast.List):
        numbers = [constant(each) for each in node.elts]
        return 0 not in numbers and 1 in numbers
    if isinstance(node, ast.Call) and last_name(node.func) in DRAWING:
        return len(node.args) > 1 and constant(node.args[0]) == 1
    made = origins(source, node)
    if isinstance(node, ast.Call) and last_name(node.func) in TENSORS and node.args:
        return _is_from_one(source, node.args[0])
    return bool(made) and node not in made and all(_is_from_one(source, each) for each in made)


def classes_of_labels(line: FailingLine, values: Values) -> LineEdit | None:
    """The width of the model's last layer as what the labels were counted by."""
    source, call = line.file, line.failed
    target = given_at(call, "1|target")
    if target is None or not call.args:
        return None
    written = only_count(source, target)
    size = _last_width(source, call.args[0])
    place = where_given(source, size, written) if written and size is not None else None
    return alone(line.put(place, written)) if place is not None and ast.unparse(place) != written else None


def _last_width(source: Module, output: ast.expr) -> ast.expr | None:
    """The width of the only Linear layer that may have given the model's output."""
    sizes = {_last_size(source, each) for each in origins(source, output)}
    return sizes.pop() if len(sizes) == 1 else None


def _last_size(source: Module, output: ast.expr) -> ast.expr | None:
    """The width of the Linear layer that gave the output."""
    made = makers(source, output.func) if isinstance(output, ast.Call) else []
    layer: ast.expr | None = made[0] if len(made) == 1 else None
    while isinstance(layer, ast.Call) and last_name(layer.func) == "Sequential" and layer.args:
        layer = layer.args[-1]
    if not isinstance(layer, ast.Call) or last_name(layer.func) != "Linear":
        return None
    return given_at(layer, "1|out_features")
