"""Parts of a syntax tree as they stand there, without what their names stand for."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

N = TypeVar("N", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef
MAX_POWER = 1 << 40  # of a number that is worked out


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# of a node: what holds no node, or the context, which many share
PLAIN_FIELDS = words("ctx id attr name arg module level kind type_comment")
_FIELDS: dict[type[ast.AST], list[str]] = {}  # of each type of node the others


class LinePart(NamedTuple):
    """A part of one line: `start` and `end` count its characters from 0, `line` the file's lines from 1 (None
    where only the line's text is known).
    """

    file: str
    line: int | None
    text: str
    start: int
    end: int

    @property
    def written(self) -> str:
        return self.text[self.start : self.end]

    def with_text(self, new: str) -> str:
        """The line with `new` there, stripped."""
        return (self.text[: self.start] + new + self.text[self.end :]).strip()


def characters(line: str, column: int) -> int:
    """A column of `ast`, which counts bytes, in characters."""
    return len(line.encode("utf-8", "replace")[:column].decode("utf-8", "replace"))


def position(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def end(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)


def holds(node: ast.AST, line: int) -> bool:
    """Whether a line is one of the node's."""
    return position(node)[0] <= line <= end(node)[0]


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes right below one, in their order; without Load and Store."""
    names = _FIELDS.get(node.__class__)
    if names is None:
        names = _FIELDS[node.__class__] = [name for name in node._fields if name not in PLAIN_FIELDS]
    found: list[ast.AST] = []
    for name in names:
        value = getattr(node, name, None)
        if value.__class__ is list:
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those below it, a node before what is in it: `ast.walk` takes three times as long."""
    todo = [node]
    for each in todo:
        yield each
        todo += children(each)


def inside(node: ast.AST | None, *kinds: type[N]) -> Iterator[N]:
    """The nodes of these types in a node, itself included; of None none."""
    return (each for each in (walk(node) if node is not None else ()) if isinstance(each, kinds))


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of the functions and classes in it."""
    todo = children(scope)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            todo += children(node)


def returned(function: Function) -> list[ast.expr]:
    """The values of the function's own return statements."""
    found = [each.value for each in own_nodes(function) if isinstance(each, ast.Return) and each.value]
    return sorted(found, key=lambda each: each.lineno)


def last_name(node: ast.AST | None) -> str:
    """`nn.Linear` -> Linear; "" for what has no name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def receiver(call: ast.Call | None) -> ast.expr | None:
    """What a method is called on; None of another call."""
    return call.func.value if call is not None and isinstance(call.func, ast.Attribute) else None


def is_self(node: ast.AST | None) -> bool:
    """Whether it is `self.x`."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def parameters(function: ast.AST) -> list[str]:
    """The names that a function's arguments have, *args and **kwargs left out; [] of what is none."""
    if not isinstance(function, Function):
        return []
    given = function.args
    return [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def argument(call: ast.Call, at: int, *names: str | None) -> ast.expr | None:
    """The argument at this place, or by one of these keywords; None where it is not given, or starred."""
    for keyword in call.keywords:
        if keyword.arg in names and keyword.arg is not None:
            return keyword.value
    if 0 <= at < len(call.args) and not any(isinstance(each, ast.Starred) for each in call.args[: at + 1]):
        return call.args[at]
    return None


def argument_of(function: Function, call: ast.Call, name: str, method: bool = False) -> ast.expr | None:
    """What a call gives for a parameter of the function: the argument, its default, or None for neither."""
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    is_bound = method and not any(last_name(each) == "staticmethod" for each in function.decorator_list)
    at = names.index(name) - (1 if is_bound else 0) if name in names else -1
    given = argument(call, at, name)
    if given is not None:
        return given
    if name in names:
        behind = len(names) - names.index(name)
        if behind <= len(function.args.defaults) and not any(isinstance(a, ast.Starred) for a in call.args):
            return function.args.defaults[-behind]
    for arg, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if arg.arg == name:
            return default
    return None


def is_open(call: ast.Call) -> bool:
    """Whether a call is given arguments that the text does not show (`*args`, `**options`)."""
    return any(each.arg is None for each in call.keywords) or any(
        isinstance(each, ast.Starred) for each in call.args
    )


def constant(node: ast.AST | None) -> object:
    """The value of a literal (also a negative number); None for what is none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant(node.operand)
        return -inner if isinstance(inner, int | float) else None
    return node.value if isinstance(node, ast.Constant) else None


def number_of(node: ast.expr, named: Callable[[ast.expr], int | None] = lambda node: None) -> int | None:
    """The whole number that an expression gives (`32 * 8 * 8`), where `named` knows those of its names; None
    where it does not.
    """
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value if abs(node.value) <= MAX_POWER else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        below = number_of(node.operand, named)
        return None if below is None else -below
    if not isinstance(node, ast.BinOp):
        return named(node)
    left, right = number_of(node.left, named), number_of(node.right, named)
    if left is None or right is None or max(abs(left), abs(right)) > MAX_POWER:
        return None
    if isinstance(node.op, ast.Mult):
        return left * right
    if isinstance(node.op, ast.Add):
        return left + right
    if isinstance(node.op, ast.Sub):
        return left - right
    if isinstance(node.op, ast.FloorDiv) and right:
        return left // right
    if isinstance(node.op, ast.Pow) and 0 <= right <= 4 and abs(left) < 1 << 20:
        return int(left**right)
    return None
