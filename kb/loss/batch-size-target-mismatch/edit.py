"""Whether padding may be what makes the lengths differ."""

from torchwhy.source.edits import FailingLine, LineEdit, Values


def padded(line: FailingLine, values: Values) -> LineEdit | None:
    calls = line.calls("pad_packed_sequence")
    return line.shown(calls[0].lineno) if len(calls) == 1 else None
