"""Which statements a line of a source belongs to: the part of a trial that reads, and runs nothing."""

from __future__ import annotations

import ast
from types import CodeType, FrameType
from typing import Any, Iterator, List, Optional, Set, Tuple

WITH = (ast.With, ast.AsyncWith)
COMPOUND = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.AsyncFor, ast.While, ast.If)
COMPOUND += (*WITH, ast.Try)  # type: ignore[assignment]

Step = Tuple[FrameType, int]  # a frame and the line that it was at


def block_at(tree: ast.AST, line: int) -> Optional[Tuple[List[ast.stmt], int, List[ast.expr]]]:
    """The block of the innermost statement at the line, its place there, and the `with` items around it. Of a
    loop or a branch only the head is a statement.
    """
    found: Optional[Tuple[List[ast.stmt], int]] = None
    around: List[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, WITH) and spans(node, line):
            around += [item.context_expr for item in node.items]
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            for at, each in enumerate(block if isinstance(block, list) else ()):
                if (
                    isinstance(each, ast.stmt)
                    and spans(each, line)
                    and not (found and put_whole(found[0][found[1]]))
                ):
                    if not isinstance(each, COMPOUND) or put_whole(each):
                        found = block, at  # type: ignore[assignment]
                    elif line < each.body[0].lineno and head(each) is not None:
                        found = [head(each)], 0  # type: ignore[list-item]
    return (*found, around) if found else None


def put_whole(statement: ast.stmt) -> bool:
    """Whether it is a loop or a branch that an edit put there with all that is in it, and nothing leaves."""
    if not isinstance(statement, (ast.If, ast.For)) or statement.lineno != statement.body[0].lineno:
        return False
    leaving = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.Await)
    return not any(isinstance(each, leaving) for each in ast.walk(statement))


def put_behind(
    block: List[ast.stmt], at: int, was: Optional[Tuple[List[ast.stmt], int, List[ast.expr]]]
) -> List[ast.stmt]:
    """The statements an edit put behind the one that failed, which stands as it was; `at`: the last one."""
    failed = ast.dump(was[0][was[1]]) if was is not None else ""
    first = next((n for n in range(at) if block[n].lineno == block[at].lineno), at)
    return block[first + 1 : at + 1] if first < at and ast.dump(block[first]) == failed else []


def after_with(tree: ast.AST, block: List[ast.stmt]) -> List[ast.stmt]:
    """What follows the `with` whose body the block is, and those around it."""
    rest: List[ast.stmt] = []
    outer: Optional[List[ast.stmt]] = block
    while outer is not None:
        inner, outer = outer, None
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            statements = body if isinstance(body, list) else []
            for at, each in enumerate(statements):
                if isinstance(each, WITH) and each.body is inner:
                    outer, rest = statements, [*rest, *statements[at + 1 :]]
    return rest


def is_loop_body(tree: ast.AST, block: List[ast.stmt]) -> bool:
    return any(isinstance(node, (ast.For, ast.While)) and node.body is block for node in ast.walk(tree))


def head(statement: ast.stmt) -> Optional[ast.stmt]:
    """What the head of a loop or a branch does first."""
    name, value = "", None
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        name, value = "iter", statement.iter
    elif isinstance(statement, (ast.If, ast.While)):
        name, value = "bool", statement.test
    if value is None:
        return None
    call = ast.Call(ast.Name(name, ast.Load()), [value], [])
    return ast.fix_missing_locations(ast.copy_location(ast.Expr(ast.copy_location(call, value)), statement))


def runs(step: Step, name: str, function: ast.AST) -> bool:
    """Whether the frame is one of that function."""
    frame, line = step
    code = frame.f_code
    return (
        code.co_filename == name and code.co_name == getattr(function, "name", "") and spans(function, line)
    )


def assignments(tree: ast.AST, line: int) -> List[Any]:
    """What gives a value to a name or an attribute in that line, the innermost last."""
    found = [node for node in ast.walk(tree) if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value]
    return [node for node in found if spans(node, line)]


def names_in(tree: ast.AST) -> Set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def reads(tree: ast.AST, target: ast.expr) -> bool:
    """Whether the name, or an attribute of that name, is read there."""
    if isinstance(target, ast.Attribute):
        return any(isinstance(node, ast.Attribute) and node.attr == target.attr for node in ast.walk(tree))
    return bool(names_in(tree) & names_in(target))


def spans(node: ast.AST, line: int) -> bool:
    first = getattr(node, "lineno", None)
    return first is not None and first <= line <= (getattr(node, "end_lineno", None) or first)


def numbered(rows: List[str]) -> ast.Module:
    """The source of these lines, each of which may be several by now, or none, with the numbers they had."""
    numbers = [number for number, row in enumerate(rows, 1) for _ in range(row.count("\n"))]
    tree = ast.parse("".join(rows))
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.expr, ast.excepthandler, ast.arg, ast.keyword, ast.alias)):
            node.lineno = numbers[node.lineno - 1]
            node.end_lineno = numbers[(node.end_lineno or node.lineno) - 1]
            if node.lineno == node.end_lineno:
                node.end_col_offset = max(node.end_col_offset or 0, node.col_offset)
    return tree


def is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) or (isinstance(node, ast.Tuple) and all(map(is_name, node.elts)))


def codes_in(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes_in(each)
