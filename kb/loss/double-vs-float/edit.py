"""Where NumPy's doubles became a tensor."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at, rewritten
from torchwhy.source.line import failing_call, only_call
from torchwhy.source.nodes import inside, last_name, words

# Methods whose result has the type of what they are called on.
SAME_TYPE = words("view reshape unsqueeze squeeze transpose permute flatten t to cuda contiguous")
MAKES = ("from_numpy", "tensor", "as_tensor")


def the_input(line: FailingLine, values: Values) -> LineEdit | None:
    """The input of the failing layer as float32, where it was made."""
    call = line.call
    return _single(line, given_at(call, "0|input") if call is not None else None)


def the_target(line: FailingLine, values: Values) -> LineEdit | None:
    """The target of the loss that the failing line makes, or goes back through, where it was made."""
    call = line.call
    if call is not None and last_name(call.func) == "backward" and isinstance(call.func, ast.Attribute):
        made = line.made_by(call.func.value)
        calls = (
            [each for each in inside(made[1], ast.Call) if len(each.args) == 2] if made is not None else []
        )
        return (
            _single(made[0], given_at(calls[0], "1|target")) if made is not None and len(calls) == 1 else None
        )
    return _single(line, given_at(call, "1|target") if call is not None else None)


def _single(line: FailingLine, node: ast.expr | None, steps: int = 6) -> LineEdit | None:
    while isinstance(node, ast.Subscript) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SAME_TYPE
    ):
        node = node.value if isinstance(node, ast.Subscript) else node.func.value  # type: ignore[attr-defined]
    found = line.made_by(node)
    if found is None or steps <= 0:
        return None
    at, made = found
    if isinstance(made, ast.Name):
        return _in_the_loop(at, made)
    if not isinstance(made, ast.Call):
        return _single(at, made, steps - 1) if isinstance(made, ast.Subscript) else None
    name = last_name(made.func)
    if name in SAME_TYPE and made is not node:
        return _single(at, made, steps - 1)
    if name == "double":
        edit = at.put_all([(at.method_of(made), ".float()")])
    else:
        edit = at.put(made, "{it}.float()") if name in MAKES else None
    return alone(edit)


def _in_the_loop(line: FailingLine, name: ast.Name) -> LineEdit | None:
    """As the first statement of the loop that gives the name its values."""
    loops = line.source.loops(name) if line.source is not None else []
    own = [each for each in loops if isinstance(each, ast.For) and name.id in _names(each.target)]
    edit = line.put_before(own[0].body[0], f"{name.id} = {name.id}.float()") if own else None
    return alone(edit)


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in inside(node, ast.Name)}


def where_the_array_came_from(line: FailingLine, values: Values) -> LineEdit | None:
    """The only `from_numpy` of the line that made what the failing call is given."""
    call = failing_call(line.here)
    made = line.made(ast.unparse(call.args[0])) if call is not None and call.args else None
    edit = rewritten(made, only_call(made.code, "from_numpy"), "{it}.float()") if made is not None else None
    if edit is None or edit.place.text[edit.place.end :].startswith(".float()"):
        return None
    return edit
