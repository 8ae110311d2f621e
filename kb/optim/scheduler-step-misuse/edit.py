"""How many steps a scheduler is made for."""

import ast
import re

from torchwhy.source.counts import given_once, handed
from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.module import Module
from torchwhy.source.nodes import is_self, last_name, own_nodes, position
from torchwhy.source.origins import origins
from torchwhy.source.own_file import value_of
from torchwhy.source.roles import bare_call

VALIDATION = re.compile(r"val|test|eval|dev", re.I)


def steps_of_all_batches(line: FailingLine, values: Values) -> LineEdit | None:
    """The epochs that the scheduler was made for times the batches of each, where it steps after each batch;
    what it was told of the batches as the length of the loader.
    """
    source, statement = line.file, line.statement()
    call = bare_call(statement)
    loops = source.loops(statement) if statement is not None else []
    if call is None or not isinstance(call.func, ast.Attribute) or not loops:
        return None
    made = [each for each in origins(source, call.func.value) if isinstance(each, ast.Call)]
    inner, outer = loops[0], loops[-1]
    if len(made) != 1 or not isinstance(inner, ast.For) or last_name(made[0].func) != "OneCycleLR":
        return None
    total, batches = given_at(made[0], "2|total_steps"), _count(source, inner.iter, made[0])
    told = given_at(made[0], "4|steps_per_epoch")
    if told is not None and batches and ast.unparse(told) != batches:
        return alone(line.put(told, batches))
    if (
        len(loops) != 2
        or total is None
        or not batches
        or not isinstance(outer, ast.For)
        or not isinstance(outer.iter, ast.Call)
        or len(outer.iter.args) != 1
        or not _is_same(source, total, outer.iter.args[0])
    ):
        return None
    simple = isinstance(total, (*NAMED, ast.Constant, ast.Subscript, ast.Call))
    return alone(line.put(total, f"{{it}} * {batches}" if simple else f"({{it}}) * {batches}"))


def of_its_metric(line: FailingLine, values: Values) -> LineEdit | None:
    """What the scheduler goes by: the only loss that has its value there, of the validation if there is one."""
    source, call = line.file, line.failed
    losses = [
        each.id
        for each in own_nodes(source.scope(call))
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and "loss" in each.id.lower()
        if position(each) < position(call) and source.dominates(each, call)
    ]
    held = {each for each in losses if VALIDATION.search(each)} or {*losses}
    return alone(line.put(call, f"{ast.unparse(call.func)}({held.pop()})")) if len(held) == 1 else None


def _is_same(source: Module, one: ast.expr, other: ast.expr) -> bool:
    known = value_of(source, one)
    return handed(source, one) == handed(source, other) or (
        known is not None and known == value_of(source, other)
    )


def _count(source: Module, over: ast.expr, made: ast.Call) -> str:
    """How often a loop runs, in names that have their value where the scheduler is made; "" of another one."""
    if isinstance(over, ast.Call) and last_name(over.func) in ("enumerate", "tqdm", "range"):
        if last_name(over.func) == "range":
            one = over.args[0] if len(over.args) == 1 else None
            return ast.unparse(one) if isinstance(one, ast.Constant) else ""
        over = over.args[0]
    if not isinstance(over, NAMED):
        return ""
    if is_self(over) and source.class_of(over) is not source.class_of(made):
        return ""
    bound = source.bindings(over) if isinstance(over, ast.Name) else []
    before = all(source.dominates(each.node, made) and each.node.lineno <= made.lineno for each in bound)  # type: ignore[attr-defined]
    if before and (
        source.scope(over) is source.scope(made)
        or all(source.scope(each.node) is source.tree for each in bound)
    ):
        return f"len({ast.unparse(over)})"
    function = source.function(made)
    same = [
        name for name, given in given_once(source, function) if handed(source, given) == handed(source, over)
    ]
    return f"len({same[0]})" if len(same) == 1 else ""
