"""A sample that is no batch, where the program gives it to its model."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def as_a_batch(line: FailingLine, values: Values) -> LineEdit | None:
    return line.as_a_batch()
