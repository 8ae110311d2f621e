"""The last length is what the others leave."""

import ast
from collections.abc import Iterator

from torchwhy.source.edits import NAMED, FailingLine, LineEdit, Values, alone, given_at
from torchwhy.source.module import Module
from torchwhy.source.nodes import inside, last_name
from torchwhy.source.own_file import names_of

PURE = ("int", "len", "round", "floor", "ceil")  # which may run twice
NAME = "dataset"


def what_the_others_leave(line: FailingLine, values: Values) -> LineEdit | None:
    """In the list of lengths, or where the last one, a name, gets its only value; nothing where all are
    numbers, of which any may be the wrong one.
    """
    source, call = line.file, line.failed
    if last_name(call.func) != "random_split":
        return None
    data, lengths = given_at(call, "0|dataset"), given_at(call, "1|lengths")
    name = lengths
    lengths = _only(source, lengths) if isinstance(lengths, ast.Name) else lengths
    if isinstance(name, ast.Name) and isinstance(lengths, ast.ListComp) and isinstance(data, NAMED):
        left = f"{name.id}[-1] += len({ast.unparse(data)}) - sum({name.id})"
        return alone(line.put_behind(source.statement(lengths), left))
    if data is None or not isinstance(lengths, ast.List | ast.Tuple) or len(lengths.elts) < 2:
        return None
    *others, last = lengths.elts
    if any(isinstance(each, ast.Starred) for each in lengths.elts) or not all(map(_may_run_twice, others)):
        return None
    if all(_is_number(source, each) for each in others):
        return None
    if not isinstance(data, NAMED):
        return _with_a_name(line, call, data, others, last)
    left = _left(ast.unparse(data), others)
    made = _only(source, last) if isinstance(last, ast.Name) else None
    known = {each.id for node in (data, *others) for each in inside(node, ast.Name)}
    above = made is not None and all(
        bound.lineno < made.lineno for name in known for bound in _targets(source, name)
    )
    return alone(line.put(made if above else last, left))


def _with_a_name(
    line: FailingLine, call: ast.Call, data: ast.expr, others: list[ast.expr], last: ast.expr
) -> LineEdit | None:
    """A name for the data set that is made in the call, on a line above it."""
    source = line.source
    if source is None or NAME in names_of(source) or source.scope(call) is not source.tree:
        return None
    edit = line.put_all([(source.place_of(data), NAME), (source.place_of(last), _left(NAME, others))])
    if edit is None or edit.more:
        return None
    return edit._replace(after=f"{NAME} = {ast.unparse(data)}\n{edit.after}", alone=True)


def _left(data: str, others: list[ast.expr]) -> str:
    return " - ".join([f"len({data})", *map(_in_brackets, others)])


def _only(source: Module, name: ast.Name) -> ast.expr | None:
    """The only value of a name."""
    found = source.bindings(name)
    return found[0].value if len(found) == 1 and found[0].part == "whole" else None


def _targets(source: Module, name: str) -> Iterator[ast.Name]:
    return (each for each in source.of(ast.Name) if each.id == name and isinstance(each.ctx, ast.Store))


def _is_number(source: Module, node: ast.expr) -> bool:
    """Whether it is a number as it was written, by whatever name."""
    return all(isinstance(each, ast.Constant) for each in source.values(node))


def _may_run_twice(node: ast.expr) -> bool:
    return all(last_name(each.func) in PURE for each in inside(node, ast.Call))


def _in_brackets(node: ast.expr) -> str:
    written = ast.unparse(node)
    return f"({written})" if isinstance(node, ast.BinOp | ast.IfExp) else written
