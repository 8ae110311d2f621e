"""The sizes of dimensions that a tensor does not have yet."""

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import constant, last_name


def one_in_front(line: FailingLine, values: Values) -> LineEdit | None:
    """1 for each -1 of `expand` that stands for a new dimension."""
    call = line.failed
    if last_name(call.func) != "expand" or call.keywords:
        return None
    new = [each for each in call.args[: int(values["dim"]) + 1] if constant(each) == -1]
    return alone(line.put_each(new, "1")) if len(new) < len(call.args) else None
