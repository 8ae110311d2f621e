"""A list of tensors that torch.tensor is given."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import last_name


def stacked(line: FailingLine, values: Values) -> LineEdit | None:
    """`torch.stack` for the only `torch.tensor` of the line; nothing where what it gets was unpacked of
    `zip(...)`, as in a collate function, where sizes may differ.
    """
    source = line.file
    calls = [each for each in line.calls("tensor") if each.lineno == line.here.line]
    call = calls[0] if len(calls) == 1 else None
    if call is None or len(call.args) != 1 or call.keywords:
        return None
    given = call.args[0]
    if isinstance(given, ast.Name):
        made = [each.value for each in source.bindings(given)]
        if any(isinstance(each, ast.Call) and last_name(each.func) == "zip" for each in made) or not made:
            return None
    elif not isinstance(given, ast.List | ast.ListComp):
        return None
    return alone(line.put(call.func, ast.unparse(call.func).removesuffix("tensor") + "stack"))
