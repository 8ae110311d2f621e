"""The gradients that a custom Function's backward returns."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone, rewritten
from torchwhy.source.line import parsed_line
from torchwhy.source.module import Module
from torchwhy.source.nodes import argument, inside, last_name, parameters, returned
from torchwhy.source.origins import origins
from torchwhy.source.own_file import methods_of
from torchwhy.source.shapes import FILLED


def its_return(line: FailingLine, values: Values) -> LineEdit | None:
    """The only return of backward, not edited; the words name what forward takes."""
    source = line.source
    if source is None:
        return None
    backward, forward = (
        list(methods_of(source, values["function"], name)) for name in ("backward", "forward")
    )
    found = [value for each in backward for value in returned(each)]
    edit = line.shown(source.statement(found[0]).lineno) if len(found) == 1 else None
    if edit is None or len(forward) != 1 or forward[0].args.vararg:
        return edit
    return edit._replace(values={"parameters": ", ".join(parameters(forward[0])[1:])})


def one_for_each(line: FailingLine, values: Values) -> LineEdit | None:
    """None for each of the last arguments that no gradient can be wanted of; no None for what forward lacks."""
    source, want = line.file, int(values["want"])
    backward = [*methods_of(source, values["function"], "backward")]
    found = returned(backward[0]) if len(backward) == 1 else []
    if len(found) != 1:
        return None
    now = found[0].elts if isinstance(found[0], ast.Tuple) else [found[0]]
    calls = [each for each in line.calls("apply") if ast.unparse(each.func) == f"{values['function']}.apply"]
    given = [each for call in calls for each in call.args[len(now) :]]
    extra = now[want:]
    if not calls or any(isinstance(each, ast.Starred) for each in (*now, *given)):
        return None
    if any(len(each.args) != want for each in calls) or not all(
        _is_fixed(source, each) for each in (*given, *extra)
    ):
        return None
    kept = [ast.unparse(each) for each in now[:want]]
    edit, shown = (
        line.put(found[0], ", ".join([*kept, *["None"] * (want - len(now))])),
        its_return(line, values),
    )
    return edit._replace(alone=True, values=shown.values) if edit is not None and shown is not None else None


def _is_fixed(source: Module, node: ast.expr) -> bool:
    """Whether nothing can want a gradient of it: a constant, a tensor that was made without."""
    made = [node] if isinstance(node, ast.Constant) else origins(source, node)
    return bool(made) and all(
        isinstance(each, ast.Constant)
        or (
            isinstance(each, ast.Call)
            and last_name(each.func) in (*FILLED, "tensor", "randint", "arange")
            and argument(each, -1, "requires_grad") is None
        )
        for each in made
    )


def turned(line: FailingLine, values: Values) -> LineEdit | None:
    return _behind(line, values, ".t()")


def summed(line: FailingLine, values: Values) -> LineEdit | None:
    return _behind(line, values, ".sum(0)")


def _behind(line: FailingLine, values: Values, suffix: str) -> LineEdit | None:
    """The suffix behind the gradient of which the message speaks."""
    edit, at = its_return(line, values), int(values["index"])
    code = edit.place.text.strip() if edit is not None else ""
    value = next((each.value for each in inside(parsed_line(code), ast.Return)), None)
    gradients = value.elts if isinstance(value, ast.Tuple) else [value]
    if edit is None or at >= len(gradients) or any(isinstance(each, ast.Starred) for each in gradients):
        return None
    here = line.here._replace(file=edit.place.file, line=edit.place.line, code=code, expression="")
    return rewritten(here, gradients[at], "{it}" + suffix)
