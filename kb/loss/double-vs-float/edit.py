"""Where NumPy's doubles became a tensor."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, rewritten
from torchwhy.source.line import failing_call, only_call


def where_the_array_came_from(line: FailingLine, values: Values) -> LineEdit | None:
    """The only `from_numpy` of the line that made what the failing call is given."""
    call = failing_call(line.here)
    made = line.made(ast.unparse(call.args[0])) if call is not None and call.args else None
    edit = rewritten(made, only_call(made.code, "from_numpy"), "{it}.float()") if made is not None else None
    if edit is None or edit.place.text[edit.place.end :].startswith(".float()"):
        return None
    return edit
