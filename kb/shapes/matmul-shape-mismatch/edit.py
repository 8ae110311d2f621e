"""The layer whose width the message asks for, or what it is given."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values
from torchwhy.source.line import failing_call, parsed_line
from torchwhy.source.nodes import constant, inside, last_name, receiver
from torchwhy.source.own_file import value_of
from torchwhy.source.record import count


def width(line: FailingLine, values: Values) -> LineEdit | None:
    return line.where_made("Linear", "0|in_features", values["got"], was=values["want"])


def both_directions(line: FailingLine, values: Values) -> LineEdit | None:
    """The layer behind an RNN that reads both ways."""
    if not line.uses("bidirectional"):
        return None
    return line.where_made("Linear", "0|in_features", "2 * {it}", was=values["want"])


def flattened(line: FailingLine, values: Values) -> LineEdit | None:
    """What the layer is given, where the sizes of one sample multiply to its width; of the layers of a
    Sequential one more in front of it.
    """
    call, shape, source = failing_call(line.here), line.given(), line.file
    if call is None or shape is None or len(shape) < 3:
        return None
    if line.record.layer(call.func) == "Linear" and count(shape[1:]) == int(values["want"]):
        return line.rewritten("0", "{it}.flatten(1)")
    layers = [
        each
        for each in line.makers("Linear")
        if each.args and value_of(source, each.args[0]) == int(values["want"])
    ]
    place = source.place_of(layers[0]) if len(layers) == 1 else None
    if (
        place is None
        or shape[0] != int(values["got_samples"])
        or not isinstance(layers[0].func, ast.Attribute)
    ):
        return None
    above = source.parent[layers[0]]
    if not isinstance(above, ast.Call) or last_name(above.func) != "Sequential":
        return None
    flat = f"{ast.unparse(layers[0].func.value)}.Flatten(), "
    return LineEdit(place, place.with_text(flat + place.written), alone=True)


def batch_kept(line: FailingLine, values: Values) -> LineEdit | None:
    """The only `view(8, -1)` of the class around, whose number is not the size of this batch."""
    source, rows = line.source, int(values["rows"])
    found = [
        call
        for call in line.calls("view|reshape")
        if source is not None and len(call.args) == 2 and constant(call.args[1]) == -1
        if value_of(source, call.args[0]) == rows and isinstance(call.func, ast.Attribute)
        if source.function(call) in source.around(line.here.line or 0, ast.FunctionDef)
    ]
    owner = found[0].func.value if len(found) == 1 and isinstance(found[0].func, ast.Attribute) else None
    place = source.place_of(found[0].args[0]) if source is not None and isinstance(owner, NAMED) else None
    if place is None or owner is None or rows * int(values["got"]) % int(values["want"]):
        return None
    return LineEdit(place, place.with_text(f"{ast.unparse(owner)}.size(0)"), alone=True)


def as_a_batch(line: FailingLine, values: Values) -> LineEdit | None:
    """The only sample that the model is given, where its flattened rows together are as wide as the layer."""
    rows, got, want = (int(values[name]) for name in ("rows", "got", "want"))
    if line.given() != (rows, got) or rows < 2 or rows * got != want:
        return None
    named = (line.record.shape(each) for each in inside(parsed_line(line.here.code), ast.Name))
    if any(shape is not None and len(shape) > 3 and shape[0] == rows for shape in named):
        return None  # a batch of pictures: that the sizes divide is chance
    return line.as_a_batch()


def second_turned(line: FailingLine, values: Values) -> LineEdit | None:
    """The second factor, where only its columns are as long as the first one's rows; of two stacks of one
    shape too, as of the queries and keys of attention.
    """
    first, second, text = _factors(line)
    left, right = line.record.shape(first), line.record.shape(second)
    if left is None or right is None or min(len(left), len(right)) < 2 or left[-1] != right[-1]:
        return None
    if left[-2] == right[-2] and (left != right or len(left) == 2):
        return None  # turned, the first would do as well
    return line.written(second, text, "{it}.transpose(-2, -1)")


def _factors(line: FailingLine) -> tuple[ast.expr | None, ast.expr | None, str]:
    """The two factors of the line's only matrix product, and the text that they were read off."""
    for text in (line.here.expression, line.here.code):
        tree = parsed_line(text)
        products = [each for each in inside(tree, ast.BinOp) if isinstance(each.op, ast.MatMult)]
        calls = [
            each
            for each in inside(tree, ast.Call)
            if last_name(each.func) in ("matmul", "mm", "bmm") and each.args
        ]
        if len(products) + len(calls) != 1:
            continue
        if products:
            return products[0].left, products[0].right, text
        [call] = calls
        if len(call.args) > 1:
            return call.args[0], call.args[1], text
        return receiver(call), call.args[0], text
    return None, None, ""
