"""Where the tensor was expanded that is written into."""

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.roles import written_in_place


def memory_of_its_own(line: FailingLine, values: Values) -> LineEdit | None:
    written = written_in_place(line.call) or written_in_place(line.statement())
    made = line.calls_behind(written, "expand|expand_as|broadcast_to")
    return alone(line.put_each(made, "{it}.clone()"))
