"""A buffer in memory that is read from where the writing ended."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import inside


def from_the_beginning(line: FailingLine, values: Values) -> LineEdit | None:
    """`seek(0)` in front of the load, where nothing between it and the save does so."""
    source, statement = line.file, line.failing
    loads = [
        each for each in inside(statement, ast.Call) if source.name(each.func) == "torch.load" and each.args
    ]
    buffer = loads[0].args[0] if len(loads) == 1 else None
    made = source.values(buffer)
    if not isinstance(buffer, ast.Name) or len(made) != 1 or not isinstance(made[0], ast.Call):
        return None
    if source.name(made[0].func) != "io.BytesIO" or made[0].args:
        return None
    wrote = [each for each in source.calls("torch.save") if ast.unparse(each.args[-1]) == buffer.id]
    moved = [each for each in source.methods("seek") if ast.unparse(each.func) == f"{buffer.id}.seek"]
    if len(wrote) != 1 or any(wrote[0].lineno < each.lineno < statement.lineno for each in moved):
        return None
    return alone(line.put_before(statement, f"{buffer.id}.seek(0)"))
