"""What a program sets an option to: through names, dictionaries, `**options`, fields of classes, and the
defaults of a command line.
"""

from __future__ import annotations

import ast

from .kinds import class_made
from .module import Module
from .nodes import argument, constant, is_self, last_name

MAX_STEPS = 8


def option(source: Module, call: ast.Call, name: str) -> ast.expr | None:
    """What a call is given under this name, where it is written; None where it is not, or not known."""
    given = argument(call, -1, name)
    tables = [each.value for each in call.keywords if each.arg is None]
    if given is None and len(tables) == 1:
        given = _entry(source, tables[0], name, MAX_STEPS)
    return settled(source, given)


def settled(source: Module, node: ast.expr | None, steps: int = MAX_STEPS) -> ast.expr | None:
    """The only expression that a setting may stand for; None where there are several, or it is not known."""
    values = source.values(node) if steps > 0 else []
    if len(values) != 1:
        return None
    [value] = values
    key = constant(value.slice) if isinstance(value, ast.Subscript) else None
    if isinstance(value, ast.Subscript) and isinstance(key, str):
        return settled(source, _entry(source, value.value, key, steps - 1), steps - 1)
    if isinstance(value, ast.Attribute):
        return settled(source, _entry(source, value.value, value.attr, steps - 1), steps - 1)
    return value if isinstance(value, ast.Constant | ast.BinOp | ast.UnaryOp | ast.Call | ast.Dict) else None


def _entry(source: Module, table: ast.expr, name: str, steps: int) -> ast.expr | None:
    """The entry of a table of settings that nothing else writes."""
    made = settled(source, table, steps)
    if made is None or _is_written(source, name):
        return None
    if isinstance(made, ast.Dict):
        keys = [constant(each) for each in made.keys]
        return made.values[keys.index(name)] if keys.count(name) == 1 else None
    if not isinstance(made, ast.Call):
        return None
    called = last_name(made.func)
    if called == "parse_args":
        return _of_command_line(source, name)
    if called in ("dict", "SimpleNamespace", "Namespace"):
        return argument(made, -1, name)
    found = class_made(source, made)
    return field(found[1].node, made, name) if found is not None and found[0] is source else None


def _is_written(source: Module, name: str) -> bool:
    """Whether the file sets an entry or an attribute of this name somewhere, but one of an object's own."""
    parts: list[ast.Attribute | ast.Subscript] = [*source.of(ast.Attribute), *source.of(ast.Subscript)]
    written = [each for each in parts if not isinstance(each.ctx, ast.Load) and not is_self(each)]
    return any(
        name in (getattr(each, "attr", ""), constant(getattr(each, "slice", None))) for each in written
    )


def _of_command_line(source: Module, name: str) -> ast.expr | None:
    calls = source.called_as("add_argument")
    own = [
        each
        for each in calls
        if name in (str(constant(flag)).lstrip("-").replace("-", "_") for flag in each.args)
    ]
    return argument(own[0], -1, "default") if len(own) == 1 else None


def field(cls: ast.ClassDef, made: ast.Call, name: str) -> ast.expr | None:
    """What the fields of a dataclass have for a name, if the call gives nothing else."""
    fields = [each for each in cls.body if isinstance(each, ast.AnnAssign)]
    named = [last_name(each.target) for each in fields]
    if name not in named or any(each.arg is None for each in made.keywords):
        return None
    given = argument(made, named.index(name), name)
    return given if given is not None else fields[named.index(name)].value
