"""Where a program writes in place into the result of an operation: the line that made the result."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .own_source import OwnFile, last_name

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def made_and_written(source: OwnFile, operation: str) -> tuple[int, str, int] | None:
    """The only assignment of this operation's result (`Sigmoid`: torch.sigmoid(x), x.sigmoid(), self.act(x)
    with an nn.Sigmoid()) to a name that is written in place after it: (number, text) of its line, and where
    in that the result ends; None where there is none, or several.
    """
    wanted = _plain(operation)
    if not wanted:
        return None
    names = {wanted, *map(_plain, _objects_of(source.tree, wanted))}
    found: list[ast.Call] = []
    for function in (source.tree, *(each for each in ast.walk(source.tree) if isinstance(each, FUNCTIONS))):
        results: dict[str, ast.Call] = {}
        # of one line, what is written comes before what is assigned
        for node in sorted(_own_nodes(function), key=lambda each: (each.lineno, bool(_assigned_name(each)))):
            written, name = _written_name(node), _assigned_name(node)
            if written in results:
                found.append(results.pop(written))
            value = node.value if name and isinstance(node, ast.Assign) else None
            results.pop(name, None)
            if isinstance(value, ast.Call) and _plain(last_name(value.func)) in names:
                results[name] = value
    if len(found) != 1 or found[0].lineno != found[0].end_lineno:
        return None
    line = source.lines[found[0].lineno - 1]
    indent = len(line) - len(line.lstrip())
    if not line.isascii():
        return None
    return found[0].lineno, line.strip(), (found[0].end_col_offset or 0) - indent


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _objects_of(tree: ast.AST, wanted: str) -> Iterator[str]:
    """The names that are given an object of that operation's layer: `act` of self.act = nn.Sigmoid()."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and len(node.targets) == 1:
            layer = last_name(node.value.func)
            if layer[:1].isupper() and _plain(layer) == wanted:
                yield last_name(node.targets[0])


def _own_nodes(function: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    """The statements and expressions of a function without those of the functions in it."""
    open_nodes = [function]
    while open_nodes:
        children = [
            each for each in ast.iter_child_nodes(open_nodes.pop()) if not isinstance(each, FUNCTIONS)
        ]
        open_nodes += children
        yield from (each for each in children if isinstance(each, ast.stmt | ast.expr))


def _assigned_name(node: ast.AST) -> str:
    """`h` of `h = ...`; "" of anything else."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id
    return ""


def _written_name(node: ast.AST) -> str:
    """`h` of `h += y`, `h[0] = y`, `h[0] += y` and `h.mul_(y)`; "" of anything else."""
    place: ast.expr | None = None
    if isinstance(node, ast.AugAssign):
        place = node.target
    elif isinstance(node, ast.Assign):
        place = next((each for each in node.targets if isinstance(each, ast.Subscript)), None)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name = node.func.attr
        place = node.func.value if name.endswith("_") and not name.startswith("_") else None
        if name == "requires_grad_":
            place = None
    while isinstance(place, ast.Subscript):
        place = place.value
    return place.id if isinstance(place, ast.Name) else ""
