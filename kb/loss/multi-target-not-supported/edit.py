"""Class numbers with a dimension of size 1 too many."""

import ast

from torchwhy.source.edits import OPERANDS, FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.line import failing_call
from torchwhy.source.nodes import last_name
from torchwhy.source.origins import origins


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
    of_data = _in_data_set(line) if owner is None and len(shape) == 2 else None
    return of_data or line.given_otherwise(
        "1|target", "{it}.squeeze(1)" if owner is None else ast.unparse(owner)
    )


def _in_data_set(line: FailingLine) -> LineEdit | None:
    """The same in the data set that makes the targets, which an evaluation reads as well."""
    call, source = line.call, line.source
    given = given_at(call, "1|target") if call is not None else None
    made = origins(source, given) if source is not None else []
    around = [source.function(each) for each in made] if source is not None else []
    if not made or not all(each is not None and each.name == "__getitem__" for each in around):
        return None
    if not all(isinstance(each, OPERANDS) for each in made):
        return None
    return alone(line.put_each(made, "{it}.squeeze(-1)"))
