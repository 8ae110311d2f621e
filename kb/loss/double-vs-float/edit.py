"""Where NumPy's doubles became a tensor."""

import ast

from torchwhy.source.conversions import converted
from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, given_at, rewritten
from torchwhy.source.line import failing_call, only_call
from torchwhy.source.nodes import argument, inside, last_name
from torchwhy.source.origins import origins


def the_input(line: FailingLine, values: Values) -> LineEdit | None:
    """The input of the failing layer as float32, where it was made."""
    call = line.call
    return _single(line, given_at(call, "0|input") if call is not None else None)


def the_target(line: FailingLine, values: Values) -> LineEdit | None:
    """The target of the loss that the failing line makes, or goes back through, where it was made."""
    call, made = line.call, line
    if call is not None and last_name(call.func) == "backward" and isinstance(call.func, ast.Attribute):
        found = line.made_by(call.func.value)
        calls = [each for each in inside(found[1] if found else None, ast.Call) if len(each.args) == 2]
        if found is None or len(calls) != 1:
            return None
        made, call = found[0], calls[0]
    return _single(made, given_at(call, "1|target") if call is not None else None)


def what_is_put(line: FailingLine, values: Values) -> LineEdit | None:
    """What is written into a part of another tensor, where it was made."""
    statement = line.statement()
    if not isinstance(statement, ast.Assign) or (values["into"], values["put"]) != ("Float", "Double"):
        return None
    return converted(line, statement.value, "float")


def class_weights(line: FailingLine, values: Values) -> LineEdit | None:
    """What the loss was given as the weights of its classes."""
    call = line.failed
    if line.source is None:
        return None
    made = [call, *(each for each in origins(line.source, call.func) if isinstance(each, ast.Call))]
    found = [argument(each, -1, "weight", "pos_weight") for each in made]
    return converted(line, next((each for each in found if each is not None), None), "float")


def _single(line: FailingLine, node: ast.expr | None) -> LineEdit | None:
    return converted(line, node, "float") or _in_the_loop(line, node)


def _in_the_loop(line: FailingLine, node: ast.expr | None) -> LineEdit | None:
    """As the first statement of the loop that gives the name its values."""
    found = line.made_by(node)
    name, at = (found[1], found[0]) if found is not None else (None, line)
    if not isinstance(name, ast.Name) or at.source is None:
        return None
    loops = (each for each in at.source.loops(name) if isinstance(each, ast.For))
    own = [each for each in loops if name.id in {inner.id for inner in inside(each.target, ast.Name)}]
    return alone(at.put_before(own[0].body[0], f"{name.id} = {name.id}.float()") if own else None)


def where_the_array_came_from(line: FailingLine, values: Values) -> LineEdit | None:
    """The only `from_numpy` of the line that made what the failing call is given."""
    call = failing_call(line.here)
    made = line.made(ast.unparse(call.args[0])) if call is not None and call.args else None
    edit = rewritten(made, only_call(made.code, "from_numpy"), "{it}.float()") if made is not None else None
    if edit is None or edit.place.text[edit.place.end :].startswith(".float()"):
        return None
    return edit
