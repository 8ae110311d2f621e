"""A new shape that the tensor's own sizes settle."""

import ast
from collections.abc import Sequence

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values
from torchwhy.source.line import parsed_line
from torchwhy.source.nodes import inside, last_name
from torchwhy.source.own_file import made_by
from torchwhy.source.record import count


def samples_kept(line: FailingLine, values: Values) -> LineEdit | None:
    """`view(-1, 400)` of maps in front of a Linear(400, ...): both, for the features that a sample has."""
    owner, given, text = _reshape(line)
    shape, source = line.record.shape(owner), line.source
    if shape is None or source is None or len(given) != 2 or len(shape) < 3:
        return None
    new = _sizes(values)
    calls = [each for each in line.calls("view|reshape") if each.lineno == line.here.line]
    if len(calls) != 1 or new[0] not in (-1, shape[0]) or new[1] < 1:
        return None
    return line.samples_kept(calls[0], new[1], count(shape[1:]))


def size_of_the_tensor(line: FailingLine, values: Values) -> LineEdit | None:
    """The first size that is not the tensor's own: that one, or -1 where no other size behind it could be."""
    owner, given, text = _reshape(line)
    new, shape, size = _sizes(values), line.record.shape(owner), int(values["size"])
    if shape is None or len(given) != len(new) or count(shape) != size:
        return None
    if len(new) == 1 or (len(new) == 2 and new[0] not in (-1, shape[0]) and new[1] == shape[-1]):
        return line.written(given[0], text, "-1")  # flat, or rows of as many as before
    at = next((at for at, pair in enumerate(zip(new, shape, strict=False)) if pair[0] != pair[1]), len(new))
    if at == len(new) or new[at] == -1:
        return None
    if at < len(shape) and _fills(new, at, shape[at], size):
        named = isinstance(owner, NAMED)
        return line.written(given[at], text, f"{ast.unparse(owner)}.size({at})" if named else "-1")
    places = [place for place in range(at, len(new)) if _fills(new, place, -1, size)]
    if not at or len(places) != 1 or (len(new) == 2 and len(shape) > 2):
        return None  # the layer behind it was made for that size
    return line.written(given[places[0]], text, "-1")


def classes_of_the_logits(line: FailingLine, values: Values) -> LineEdit | None:
    """`logits.view(-1, classes)` in the call of a loss: the classes are the tensor's last size."""
    owner, given, text = _reshape(line)
    if len(given) != 2 or not isinstance(owner, NAMED) or ast.unparse(given[0]) != "-1":
        return None
    written = f"{ast.unparse(owner)}.{{}}({', '.join(map(ast.unparse, given))})"
    forms = [written.format(name) for name in ("view", "reshape")]
    for call in inside(parsed_line(line.here.code), ast.Call):
        if call.args and _is_loss(line, call.func) and ast.unparse(call.args[0]) in forms:
            return line.written(given[1], text, f"{ast.unparse(owner)}.size(-1)")
    return None


def _is_loss(line: FailingLine, called: ast.expr) -> bool:
    """Whether that is a loss over classes: the function, or an object of its class."""
    made = line.source is not None and made_by(line.source, called, "CrossEntropyLoss|NLLLoss")
    return last_name(called) in ("cross_entropy", "nll_loss") or made


def _reshape(line: FailingLine) -> tuple[ast.expr | None, Sequence[ast.expr], str]:
    """What is given another shape, the sizes, and the text that they stand in."""
    call, text = line.only("view|reshape")
    if call is None or not isinstance(call.func, ast.Attribute):
        return None, (), ""
    owner, given = call.func.value, call.args
    if ast.unparse(call.func) == "torch.reshape":
        owner, given = call.args[0], call.args[1:]
    if len(given) == 1 and isinstance(given[0], ast.Tuple | ast.List):
        given = given[0].elts
    return owner, given, text


def _sizes(values: Values) -> list[int]:
    return [int(each) for each in values["shape"].split(",")]


def _fills(new: Sequence[int], at: int, put: int, size: int) -> bool:
    """Whether the shape fits so many numbers with another size at that place."""
    sizes = [*new[:at], put, *new[at + 1 :]]
    known = count(each for each in sizes if each != -1)
    return known > 0 and (size % known == 0 if sizes.count(-1) == 1 else -1 not in sizes and size == known)
