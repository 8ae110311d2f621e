"""What is known of the failing line beside its message, as values that a condition may ask for: its function,
the operation that failed, and under `torchwhy run` the shape and dtype of what went into it.

What is not known has no value, so that a condition on it does not hold.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence

from torchwhy.knowledge.entry import FUNCTION, INPUT, LAST_TWO, LAYER_FIRST, MAX_INPUT_DIMS, OPERATION
from torchwhy.paste.place import UserFrame
from torchwhy.runtime.json_types import JSONObject
from torchwhy.source.line import failing_call, parsed_line
from torchwhy.source.nodes import inside, last_name

BOOLEAN = {ast.And: "and", ast.Or: "or"}


def line_facts(here: UserFrame | None, operands: Sequence[JSONObject] = ()) -> dict[str, str]:
    """The values by name; `operands`: what a record of the crash says of the line's names."""
    if here is None or not here.code:
        return {}
    known = {FUNCTION: here.function.split("(")[0].rpartition(".")[2], OPERATION: operation_of(here)}
    known = {name: value for name, value in known.items() if value}
    call = failing_call(here)
    if call is None or not call.args or not operands:
        return known
    given, layer = _operand(call.args[0], operands), _operand(call.func, operands)
    first = re.match(r"(?:\w+=)?(\d+)(?:,|$)", str(layer.get("settings", "")))
    if first is not None:
        known[LAYER_FIRST] = first[1]
    shape = given.get("shape")
    if isinstance(shape, list) and all(isinstance(size, int) for size in shape):
        known[f"{INPUT}.shape"] = ", ".join(map(str, shape))
        known |= {f"{INPUT}.{at}": str(size) for at, size in enumerate(shape[:MAX_INPUT_DIMS])}
        known[f"{INPUT}.dims"] = str(len(shape))
        known[LAST_TWO] = str(math.prod(shape[-2:]))
    if isinstance(given.get("dtype"), str):
        known[f"{INPUT}.dtype"] = given["dtype"]
    return known


def _operand(node: ast.expr, operands: Sequence[JSONObject]) -> JSONObject:
    """What the record says of this expression; nothing where it does not know it."""
    name = ast.unparse(node)
    return next((each for each in operands if each.get("name") == name and not each.get("of")), {})


def operation_of(here: UserFrame) -> str:
    """What the line does that failed: the name of a call, `and`, `or`, `not`, `in`, `if`, `while`, `assert`,
    `assign` (into a part of something); "" where the line does several of these.
    """
    marked = parsed_line(here.expression) if here.expression else None
    if marked is not None and here.expression != here.code:
        inner = marked.body[0] if isinstance(marked, ast.Module) and len(marked.body) == 1 else None
        if isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call):
            return last_name(inner.value.func)
    tree = parsed_line(here.code)
    found = _yes_or_no(tree) if tree is not None else set()
    if len(found) == 1:
        return found.pop()
    call = failing_call(here)
    if call is not None and not found:
        return last_name(call.func)
    return "assign" if tree is not None and not found and _assigns_a_part(tree) else ""


def _yes_or_no(tree: ast.AST) -> set[str]:
    """The words of a line that want one yes or no."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp):
            found.add(BOOLEAN[type(node.op)])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            found.add("not")
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            found.add("in")
        elif isinstance(node, ast.If | ast.IfExp):
            found.add("if")
        elif isinstance(node, ast.While | ast.Assert):
            found.add(type(node).__name__.lower())
    return found


def _assigns_a_part(tree: ast.AST) -> bool:
    return any(
        isinstance(target, ast.Subscript) for node in inside(tree, ast.Assign) for target in node.targets
    )
