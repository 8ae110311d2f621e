"""The weights that the model has no place of that shape for."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.nodes import argument, constant, inside, last_name
from torchwhy.source.roles import stored

OWN = "own"


def what_fits(line: FailingLine, values: Values) -> LineEdit | None:
    """Without them, where the file is loaded with strict=False: what is missing then stays as it was made."""
    source, statement = line.file, line.failing
    calls = [each for each in inside(statement, ast.Call) if last_name(each.func) == "load_state_dict"]
    if len(calls) != 1 or not isinstance(calls[0].func, ast.Attribute):
        return None
    given, strict = given_at(calls[0], "0|state_dict"), argument(calls[0], 1, "strict")
    if (
        not isinstance(given, ast.Name)
        or constant(strict) is not False
        or OWN in stored(source.scope(statement))
    ):
        return None
    name = given.id
    kept = f"k not in {OWN} or v.shape == {OWN}[k].shape"
    rows = [
        f"{OWN} = {ast.unparse(calls[0].func.value)}.state_dict()",
        f"{name} = {{k: v for k, v in {name}.items() if {kept}}}",
    ]
    return alone(line.put_before(statement, "\n".join(rows)))
