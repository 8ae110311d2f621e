"""A batch size that was written as a number."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def size_of_the_input(line: FailingLine, values: Values) -> LineEdit | None:
    return line.with_argument(line.calls("reshape|view|expand"), "0", "{object}.shape[0]", values["value"])
