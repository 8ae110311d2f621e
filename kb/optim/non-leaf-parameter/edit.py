"""A tensor that wants gradients only when it is whole, and values that are put into a parameter."""

import ast

from torchwhy.source.edits import OPERANDS, FailingLine, LineEdit, Values, alone, own_lines
from torchwhy.source.module import Module
from torchwhy.source.nodes import characters, constant, inside, last_name
from torchwhy.source.roles import is_module

MOVES = ("to", "cuda", "float", "double", "half", "mul", "div")


def gradients_last(line: FailingLine, values: Values) -> LineEdit | None:
    """`torch.rand(3, requires_grad=True) * 2` as `(torch.rand(3) * 2).requires_grad_()`, where it was made."""
    source, statement = line.file, line.statement()
    calls = [] if source is None else [each for each in inside(statement, ast.Call) if each.args]
    made = [each for each in calls if source.name(each.func).startswith("torch.optim.")]
    if len(made) != 1:
        return None
    lists = source.results(made[0].args[0])
    parts = [
        part for each in lists for part in (each.elts if isinstance(each, ast.List | ast.Tuple) else [each])
    ]
    its = dict.fromkeys(value for part in parts for value in source.results(part))
    found = [_of_value(line, source, each) for each in its if _asks_early(source, each) is not None]
    if not found or found[0] is None:
        return None
    return alone(found[0].with_more(*found[1:]))


def values_copied(line: FailingLine, values: Values) -> LineEdit | None:
    """`layer.weight = value` as a copy into the parameter; not in a forward, where gradients may be meant to flow."""
    source, statement = line.file, line.statement()
    target = (
        statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    )
    if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Attribute):
        return None
    function = source.function(statement)
    returns = (
        []
        if function is None or function.name == "__init__"
        else [each for each in inside(function, ast.Return) if each.value]
    )
    tied = isinstance(statement.value, ast.Attribute) and statement.value.attr == "data"
    value = ast.get_source_segment(source.text, statement.value)
    owner: ast.expr = target.value
    while isinstance(owner, ast.Attribute | ast.Subscript) and not last_name(owner.value) == "self":
        owner = owner.value
    known = is_module(source, target.value) or is_module(source, owner)
    alone = (
        own_lines(source, statement) == range(statement.lineno, statement.lineno + 1)
        and source.imports.get("torch") == "torch"
    )
    if target.attr != values["name"] or returns or tied or value is None or not known or not alone:
        return None
    indent = source.lines[statement.lineno - 1][: statement.col_offset]
    copied = f"{ast.unparse(target)}.copy_({value})"
    return line.shown(statement.lineno, f"with torch.no_grad():\n{indent}    {copied}")


def _asks_early(source: Module, value: ast.expr) -> ast.Call | None:
    """The only call in it, and not all of it, that asks for gradients or makes a parameter."""
    calls = [each for each in inside(value, ast.Call) if _asks(source, each)]
    return calls[0] if len(calls) == 1 and calls[0] is not value else None


def _asks(source: Module, call: ast.Call) -> bool:
    wants = any(each.arg == "requires_grad" and constant(each.value) is True for each in call.keywords)
    bare = last_name(call.func) == "requires_grad_" and not call.args
    return wants or bare or source.name(call.func) == "torch.nn.Parameter"


def _of_value(line: FailingLine, source: Module, value: ast.expr) -> LineEdit | None:
    place, call = source.place_of(value), _asks_early(source, value)
    inner = source.place_of(call)
    if place is None or call is None or inner is None or _has_model(source, value):
        return None
    text, start = place.text, place.start
    if source.name(call.func) == "torch.nn.Parameter":
        return _of_parameter(source, value, call)
    if last_name(call.func) == "requires_grad_" and isinstance(call.func, ast.Attribute):
        first, last = characters(text, call.func.value.end_col_offset or 0), inner.end
    else:
        [keyword] = [each for each in call.keywords if each.arg == "requires_grad"]
        ends = [each.end_col_offset or 0 for each in (*call.args, *(part.value for part in call.keywords))]
        before = [each for each in ends if each < (keyword.value.end_col_offset or 0)]
        if not before:
            return None
        first, last = characters(text, max(before)), characters(text, keyword.value.end_col_offset or 0)
    left = text[start:first] + text[last : place.end]
    left = left if isinstance(value, OPERANDS) else f"({left})"
    return LineEdit(place, place.with_text(f"{left}.requires_grad_()"))


def _of_parameter(source: Module, value: ast.expr, call: ast.Call) -> LineEdit | None:
    """`nn.Parameter(x).to(device)` as `nn.Parameter(x.to(device))`."""
    place, inner = source.place_of(value), source.place_of(call)
    given = source.place_of(call.args[0]) if len(call.args) == 1 and not call.keywords else None
    moved = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.value is call
    if (
        place is None
        or inner is None
        or given is None
        or not moved
        or last_name(getattr(value, "func", None)) not in MOVES
    ):
        return None
    written = given.written if isinstance(call.args[0], OPERANDS) else f"({given.written})"
    text = place.text[inner.start : given.start] + written + place.text[inner.end : place.end] + ")"
    return LineEdit(place, place.with_text(text))


def _has_model(source: Module, value: ast.expr) -> bool:
    return any(is_module(source, each.func) for each in inside(value, ast.Call))
