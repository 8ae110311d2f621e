"""A view that may copy."""

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import last_name
from torchwhy.source.roles import written_in_place


def reshaped(line: FailingLine, values: Values) -> LineEdit | None:
    """`reshape`, which is the same wherever `view` works; not where what it gives is written into."""
    call = line.call
    if line.source is None or call is None or last_name(call.func) != "view":
        return line.replaced(".view(", ".reshape(")
    part = line.method_of(call)
    above = [*line.source.above(call)]
    if part is None or any(written_in_place(each) is not None for each in above):
        return None
    return alone(line.put_all([(part, part.written.replace("view", "reshape", 1))]))
