"""The last length is what the others leave."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, given_at
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, last_name

PURE = ("int", "len", "round", "floor", "ceil")  # which may run twice


def what_the_others_leave(line: FailingLine, values: Values) -> LineEdit | None:
    """In the list of lengths, or where the last one, a name, gets its only value."""
    source, call = line.source, line.call
    if source is None or call is None or last_name(call.func) != "random_split":
        return None
    data, lengths = given_at(call, "0|dataset"), given_at(call, "1|lengths")
    if isinstance(lengths, ast.Name):
        lengths = _only(source, lengths)
    if not isinstance(lengths, ast.List | ast.Tuple) or len(lengths.elts) < 2 or not isinstance(data, NAMED):
        return None
    *others, last = lengths.elts
    if any(isinstance(node, ast.Starred) for node in lengths.elts) or not all(map(_may_run_twice, others)):
        return None
    left = " - ".join([f"len({ast.unparse(data)})", *map(_in_brackets, others)])
    made = _only(source, last) if isinstance(last, ast.Name) else None
    known = {each.id for node in (data, *others) for each in inside(node, ast.Name)}
    if made is not None and _are_bound_above(source, known, made):
        return line.put(made, left)
    return line.put(last, left)


def _only(source: Module, name: ast.Name) -> ast.expr | None:
    """The only value of a name."""
    found = source.bindings(name)
    return found[0].value if len(found) == 1 and found[0].part == "whole" else None


def _are_bound_above(source: Module, names: set[str], node: ast.expr) -> bool:
    return all(bound.lineno < node.lineno for name in names for bound in _targets(source, name))


def _targets(source: Module, name: str) -> Iterator[ast.Name]:
    return (each for each in source.of(ast.Name) if each.id == name and isinstance(each.ctx, ast.Store))


def _may_run_twice(node: ast.expr) -> bool:
    return all(last_name(each.func) in PURE for each in inside(node, ast.Call))


def _in_brackets(node: ast.expr) -> str:
    written = ast.unparse(node)
    return f"({written})" if isinstance(node, ast.BinOp | ast.IfExp) else written
