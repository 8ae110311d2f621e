"""The gradients that a custom Function's backward returns."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, rewritten
from torchwhy.source.line import parsed_line
from torchwhy.source.nodes import inside, parameters, returned
from torchwhy.source.own_file import methods_of


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
