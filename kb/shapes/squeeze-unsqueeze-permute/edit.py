"""Dimensions that are counted with one more, or one fewer, than the tensor has in front."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values
from torchwhy.source.nodes import argument, constant, last_name

OVER_CLASSES = "softmax|log_softmax|argmax|max|topk|sort|argsort|normalize"
OVER_ANY = f"{OVER_CLASSES}|sum|mean|std|var|norm|amax|amin|prod|any|all|cumsum|logsumexp|min|argmin|median"


def last_dimension(line: FailingLine, values: Values) -> LineEdit | None:
    """The last dimension as -1, where it is counted with one dimension more in front than there is: that of the
    classes, or the only one.
    """
    call, text = line.only(OVER_ANY if values["high"] == "0" else OVER_CLASSES)
    if call is None or int(values["dim"]) != int(values["high"]) + 1:
        return None
    at = 1 if ast.unparse(call.func).split(".")[0] in ("torch", "F") else 0
    at += last_name(call.func) in ("topk", "norm", "normalize")
    given = argument(call, at, "dim", "axis")
    return line.written(given, text, "-1") if str(constant(given)) == values["dim"] else None


def with_the_batch(line: FailingLine, values: Values) -> LineEdit | None:
    """An order of three for pictures of a batch, which stays in front; or one of four for a picture alone."""
    call, text = line.only("permute")
    given = call.args if call is not None else []
    if len(given) == 1 and isinstance(given[0], ast.Tuple | ast.List):
        given = given[0].elts
    order = [at for at in map(constant, given) if isinstance(at, int)]
    if call is None or len(order) != len(given) or sorted(order) != [*range(len(order))]:
        return None
    new = [at - 1 for at in order[1:]] if order[0] == 0 else [0, *(at + 1 for at in order)]
    if int(values["have"]) != len(new):
        return None
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if not owner or owner == "torch":
        return None
    return line.written(call, text, f"{owner}.permute({', '.join(map(str, new))})")
