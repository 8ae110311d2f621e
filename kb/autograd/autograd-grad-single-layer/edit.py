"""What a gradient is asked of, as a tensor that wants one before anything is computed of it."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.nodes import inside
from torchwhy.source.own_file import without_gradients
from torchwhy.source.roles import block_of, loaded, stored


def wanted_first(line: FailingLine, values: Values) -> LineEdit | None:
    """`x.requires_grad_()` in front of the first line of the block that reads x."""
    source, statement = line.file, line.failing
    calls = [
        each
        for each in inside(statement, ast.Call)
        if source and source.name(each.func) == "torch.autograd.grad"
    ]
    given = given_at(calls[0], "1|inputs") if len(calls) == 1 else None
    parts = given.elts if isinstance(given, ast.List | ast.Tuple) else [given]
    if without_gradients(source, statement) is not None:
        return None
    names = [each.id for each in parts if isinstance(each, ast.Name)]
    above = block_of(source, statement)
    above = above[: above.index(statement)]
    made = [at for at, each in enumerate(above) if {*names} & stored(each)]
    first = next((each for each in above[max(made, default=-1) + 1 :] if {*names} & loaded(each)), None)
    if not names or len(names) < len(parts) or first is None:
        return None
    return alone(line.put_before(first, "\n".join(f"{name}.requires_grad_()" for name in names)))
