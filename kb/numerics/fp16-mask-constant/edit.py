"""The number that a tensor is filled with."""

import ast

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.nodes import constant, last_name

PLACES = {"masked_fill": "1|value", "masked_fill_": "1|value", "fill_": "0|value"}


def end_of_its_type(line: FailingLine, values: Values) -> LineEdit | None:
    """The least number of the type of the tensor that is filled in place of one far below, or the greatest."""
    source, call = line.file, line.failed
    owner = getattr(call.func, "value", None)
    place = PLACES.get(last_name(call.func))
    if place is None or not isinstance(owner, NAMED):
        return None
    given = given_at(call, place)
    numbers = {constant(each) for each in source.values(given)}
    number = numbers.pop() if len(numbers) == 1 else None
    if source.imports.get("torch") != "torch" or given is None or not isinstance(number, float | int):
        return None
    side = "min" if number < 0 else "max"
    return alone(line.put(given, f"torch.finfo({ast.unparse(owner)}.dtype).{side}"))
