"""A collate function that the file has and that no loader was given."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import inside, last_name, parameters

JOINS = ("pad_sequence", "stack", "cat", "pad", "tensor", "as_tensor", "default_collate", "zip")


def with_its_own(line: FailingLine, values: Values) -> LineEdit | None:
    """The only function of one list that joins something, and is called and given nowhere else than to a
    loader; to the only loader that lacks it.
    """
    source = line.file
    loaders = line.calls("DataLoader")
    given = {last_name(each.value) for call in loaders for each in call.keywords if each.arg == "collate_fn"}
    read = {each.id for each in inside(source.tree, ast.Name)} - given
    free = [
        each
        for each in source.tree.body
        if isinstance(each, ast.FunctionDef) and len(parameters(each)) == 1 and each.name not in read
        if any(last_name(call.func) in JOINS for call in inside(each, ast.Call))
    ]
    without = [call for call in loaders if all(each.arg != "collate_fn" for each in call.keywords)]
    if len(free) != 1 or len(without) != 1:
        return None
    return alone(line.with_keyword(without, f"collate_fn={free[0].name}"))
