"""The targets as the type that the loss takes, where they were made."""

from torchwhy.source.conversions import converted
from torchwhy.source.edits import FailingLine, LineEdit, Values, given_at


def class_numbers(line: FailingLine, values: Values) -> LineEdit | None:
    return _target(line, "long")


def floats(line: FailingLine, values: Values) -> LineEdit | None:
    return _target(line, "float")


def _target(line: FailingLine, method: str) -> LineEdit | None:
    call = line.call
    return converted(line, given_at(call, "1|target") if call is not None else None, method)
