"""The part of a checkpoint that is the optimizer's, and a load that other parameters leave no sense."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.kinds import kind
from torchwhy.source.nodes import constant, inside, last_name, receiver
from torchwhy.source.roles import bare_call


def its_part(line: FailingLine, values: Values) -> LineEdit | None:
    """The key under which the file saves an optimizer's state, the only one, behind what is loaded."""
    source, call = line.file, line.failed
    if last_name(call.func) != "load_state_dict":
        return None
    owner = receiver(call)
    node = given_at(call, "0|state_dict")
    keys = {
        (constant(key), ast.unparse(value.func.value))
        for each in inside(source.tree, ast.Dict)
        for key, value in zip(each.keys, each.values, strict=True)
        if isinstance(value, ast.Call) and last_name(value.func) == "state_dict"
        if isinstance(value.func, ast.Attribute) and isinstance(constant(key), str)
        if kind(source, value.func.value) == "optimizer"
        or ast.unparse(value.func.value) == ast.unparse(owner or value)
    }
    own = {key for key, saved in keys if owner is not None and saved == ast.unparse(owner)}
    found = own or {key for key, _ in keys}
    if len(found) != 1 or node is None or (isinstance(node, ast.Subscript) and constant(node.slice) in found):
        return None
    if isinstance(node, ast.Subscript) and isinstance(constant(node.slice), str):
        edit = line.put(node.slice, f'"{found.pop()}"')
    else:
        edit = line.put(node, f'{{it}}["{found.pop()}"]')
    return alone(edit)


def not_loaded(line: FailingLine, values: Values) -> LineEdit | None:
    """Without the load, where the file freezes parameters, so that the optimizer has others on purpose."""
    statement = line.failing
    if not line.uses("requires_grad", "requires_grad_") or bare_call(statement) is None:
        return None
    edit = line.taken_away(statement)
    return edit._replace(alone=line.is_called_once()) if edit is not None else None
