"""Weights that an initialisation of matrices fits, and those that it does not."""

import ast

from torchwhy.source.edits import FailingLine, LineEdit, Values, alone
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, last_name
from torchwhy.source.roles import bare_call, block_of, stored

FANS = ("xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_", "orthogonal_")


def matrices_only(line: FailingLine, values: Values) -> LineEdit | None:
    """In a loop over parameters only those of two dimensions and more; a bias by its name begins at zero."""
    source, statement = line.file, line.failing
    call = bare_call(statement)
    if call is None or last_name(call.func) not in FANS:
        return None
    given = call.args[0] if call.args else None
    if isinstance(given, ast.Attribute) and given.attr == "data":
        given = given.value
    if isinstance(given, ast.Attribute) and given.attr.startswith("bias"):
        place = source.place_of(call)
        owner = ast.unparse(call.func).rpartition(".")[0]
        return (
            LineEdit(place, place.with_text(f"{owner}.zeros_({ast.unparse(given)})"), alone=True)
            if place is not None and owner
            else None
        )
    if not isinstance(given, ast.Name) or not _is_loop_over_parameters(source, statement, given.id):
        return None
    return alone(line.wrapped([statement], f"if {given.id}.dim() > 1:"))


def _is_loop_over_parameters(source: Module, statement: ast.stmt, name: str) -> bool:
    loops = [
        each for each in source.loops(statement) if isinstance(each, ast.For) and name in stored(each.target)
    ]
    called = loops[0].iter if loops and isinstance(loops[0].iter, ast.Call) else None
    return called is not None and last_name(called.func) in ("parameters", "named_parameters")


def where_there_is_one(line: FailingLine, values: Values) -> LineEdit | None:
    """`m.bias` only where the layer has one."""
    source, statement = line.file, line.failing
    if not isinstance(statement, ast.Expr):
        return None
    names = {
        ast.unparse(each) for each in inside(statement, ast.Attribute) if each.attr in ("bias", "weight")
    }
    if len(names) != 1:
        return None
    [name] = names
    block = block_of(source, statement)
    at = block.index(statement)
    if any(name in ast.unparse(each) for each in block[:at]):
        return None
    return alone(line.wrapped([statement], f"if {name} is not None:"))
