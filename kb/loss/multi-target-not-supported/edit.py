"""Class numbers with a dimension of size 1 too many."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, given_at
from torchwhy.source.line import failing_call
from torchwhy.source.nodes import last_name


def without_dimension(line: FailingLine, values: Values) -> LineEdit | None:
    """The target without the dimension of size 1 behind the batch; where the line itself put it there, as it
    was before.
    """
    call = failing_call(line.here)
    target = given_at(call, "1|target") if call is not None else None
    shape = line.record.shape(target) or line.record.inner("target")
    if call is None or target is None or shape is None or len(shape) not in (2, 4) or shape[1] != 1:
        return None
    added = isinstance(target, ast.Call) and last_name(target.func) == "unsqueeze"
    owner = (
        target.func.value
        if added and isinstance(target, ast.Call) and isinstance(target.func, ast.Attribute)
        else None
    )
    return line.given_otherwise("1|target", "{it}.squeeze(1)" if owner is None else ast.unparse(owner))
