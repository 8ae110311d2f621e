"""Whether padding may be what makes the lengths differ."""

from torchwhy.source.edits import Edit, FailingLine, Values


def padded(line: FailingLine, values: Values) -> Edit | None:
    calls = line.calls("pad_packed_sequence")
    return line.shown(calls[0].lineno) if len(calls) == 1 else None
