"""Labels that count from 1, and a last layer with too few classes."""

import ast

from torchwhy.source.counts import only_count, where_given
from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.kinds import makers
from torchwhy.source.module import Module
from torchwhy.source.nodes import LinePart, constant, last_name
from torchwhy.source.origins import origins
from torchwhy.source.own_file import value_of


def from_nought(line: FailingLine, values: Values) -> LineEdit | None:
    """Labels that all were made from 1 to the number of classes, as those from 0."""
    source, call = line.source, line.call
    target = given_at(call, "1|target") if call is not None else None
    if source is None or call is None or target is None or not call.args:
        return None
    shape, size = line.record.shape(call.args[0]), _last_width(source, call.args[0])
    classes = shape[1] if shape and len(shape) > 1 else value_of(source, size) if size is not None else None
    if str(classes) != values["label"]:
        return None
    made = origins(source, target)
    parts = [_one_less(source, each) for each in made]
    return alone(line.put_all(parts)) if parts else None


def _one_less(source: Module, node: ast.expr) -> tuple[LinePart | None, str]:
    place = source.place_of(node)
    if place is not None and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        if constant(node.right) == 1:
            return place, ast.unparse(node.left)
    if place is not None and isinstance(node, ast.Call) and node.args:
        first = node.args[0]
        numbers = [constant(each) for each in first.elts] if isinstance(first, ast.List) else []
        from_one = bool(numbers) and 0 not in numbers and 1 in numbers
        name = source.name(node.func)
        if (name == "torch.randint" and constant(first) == 1 and len(node.args) > 2) or (
            name in ("torch.tensor", "torch.LongTensor") and from_one
        ):
            return place, f"{place.written} - 1"
    return None, ""


def classes_of_labels(line: FailingLine, values: Values) -> LineEdit | None:
    """The width of the model's last layer as what the labels were counted by."""
    source, call = line.source, line.call
    target = given_at(call, "1|target") if call is not None else None
    if source is None or call is None or target is None or not call.args:
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
