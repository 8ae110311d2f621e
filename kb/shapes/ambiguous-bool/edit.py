"""Where one yes or no is asked of a tensor that has many."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.nodes import constant, holds
from torchwhy.source.origins import origins


def made_first(line: FailingLine, values: Values) -> LineEdit | None:
    """An object of the loss class that the failing line calls with tensors: brackets behind the class, or what
    gives one of several, where it stands in the line, or where a name was given it.
    """
    source, call = line.file, line.failed
    classes = {source.name(each) for each in origins(source, call.func)} or {""}
    if not all(each.startswith("torch.nn.") and each.endswith("Loss") for each in classes):
        return None
    given = source.values(call.func)
    return alone(line.put(given[0], "{it}()")) if len(given) == 1 else None


def asked_for_none(line: FailingLine, values: Values) -> LineEdit | None:
    """`is not None` behind the only name of the question that is a parameter whose default is None."""
    source = line.file
    tests = [*(each.test for each in source.of(ast.If)), *(each.test for each in source.of(ast.IfExp))]
    asked = (name for test in tests if holds(test, line.here.line or 0) for name in _asked(test))
    found = [name for name in asked if _is_optional(line, name)]
    if len(found) != 1:
        return None
    above = source.parent[found[0]]
    if isinstance(above, ast.UnaryOp):
        edit = line.put(above, f"{found[0].id} is None")
    else:
        edit = line.put(found[0], "{it} is not None")
    return alone(edit)


def _asked(test: ast.expr) -> Iterator[ast.Name]:
    """The names of a question that are asked for a yes or no as they are."""
    if isinstance(test, ast.Name):
        yield test
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _asked(test.operand)
    elif isinstance(test, ast.BoolOp):
        for each in test.values:
            yield from _asked(each)


def _is_optional(line: FailingLine, name: ast.Name) -> bool:
    function = line.source.function(name) if line.source is not None else None
    if function is None:
        return False
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    defaults = dict(zip(reversed(positional), reversed(given.defaults), strict=False))
    defaults |= {arg: each for arg, each in zip(given.kwonlyargs, given.kw_defaults, strict=True) if each}
    return any(
        arg.arg == name.id and isinstance(each, ast.Constant) and constant(each) is None
        for arg, each in defaults.items()
    )
