"""Where the objects of a failing line come from: the line of the user's own program that made each.

Read off the source alone, as `own_source` reads it: the last line before that gave the name its value. A
parameter is followed to the call in the frame outside, a second name to the first.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torchwhy.paste.place import UserFrame
from torchwhy.text.plain import plain

from .own_source import OwnFile, failing_call, last_name, parsed_line, read_source
from .phrases import phrase
from .places import place_words

MAX_STEPS = 6  # from a name to the line that made its object
MAX_SOURCE_BYTES = 1 << 17  # of a file that is looked through, some 3,500 lines
MAX_CODE_CHARS = 200
MAX_NAMES = 6  # of a line that are looked up
FILLING = ("append", "extend", "add", "update")
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module


class Origin(NamedTuple):
    """The line that made the object of a name: its file, its number and its text, stripped."""

    name: str
    file: str
    line: int
    code: str


def origins_of(frames: Sequence[UserFrame]) -> tuple[Origin, ...]:
    """Where the objects of the innermost frame's line come from, from left to right.

    `frames`: the user's own of one traceback, the innermost first. A name is left out where the source does
    not say, or says it in the failing line itself.
    """
    if not frames or not frames[0].line:
        return ()
    search = _Search(frames)
    found: list[Origin] = []
    for name, node in list(search.names().items())[:MAX_NAMES]:
        made = search.of(node, 0, frames[0].line, MAX_STEPS)
        if made is not None and (made.file, made.line) != (frames[0].file, frames[0].line):
            found.append(Origin(name, made.file, made.line, made.code))
    return tuple(found)


def origin_of(origins: Sequence[Origin], operand: str) -> Origin | None:
    """The one of an operand as it stands in a line: of `batch['mask']` that of `batch`."""
    names = {each.name: each for each in origins}
    while operand:
        if operand in names:
            return names[operand]
        operand = operand[: max(operand.rfind("."), operand.rfind("["), 0)]
    return None


def shown_origin(origin: Origin, here: UserFrame, lang: str) -> str:
    """`line 35: _, hidden = self.encoder(src)`; with the file's name where it is another one."""
    if origin.file == here.file:
        place = phrase("screen_line", lang, line=str(origin.line))
    else:
        place = f"{place_words(os.path.basename(origin.file), origin.line, lang)}: "
    return place + plain(origin.code)


def _names_in(tree: ast.AST | None) -> dict[str, ast.expr]:
    """The names and the `self.` attributes that are read, from left to right."""
    found: dict[str, ast.expr] = {}
    todo = [tree] if tree is not None else []
    while todo:
        node = todo.pop()  # of a stack: from the front it would take the square of the time
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, node)
        elif isinstance(node, ast.Attribute) and _is_own(node) and isinstance(node.ctx, ast.Load):
            found.setdefault(f"self.{node.attr}", node)
        else:
            todo += reversed(list(ast.iter_child_nodes(node)))
    found.pop("self", None)
    return found


class _Line(NamedTuple):
    file: str
    line: int
    code: str


class _Search:
    """Through the files of these frames; each is read once."""

    def __init__(self, frames: Sequence[UserFrame]) -> None:
        self._frames = frames
        self._sources: dict[int, OwnFile | None] = {}

    def names(self) -> dict[str, ast.expr]:
        """What the failing line reads; of a statement on several lines, what all of them do."""
        here = self._frames[0]
        tree = parsed_line(here.expression) if here.expression else None
        tree = tree or parsed_line(here.code)
        source = self._source(0) if tree is None else None
        if source is not None:
            around = [
                node
                for node in ast.walk(source.tree)
                if isinstance(node, ast.stmt) and _is_at(node, here.line or 0)
            ]
            tree = around[-1] if around else None
        return _names_in(tree)

    def _source(self, number: int) -> OwnFile | None:
        if number not in self._sources:
            self._sources[number] = read_source(self._frames[number], MAX_SOURCE_BYTES)
        return self._sources[number]

    def of(self, node: ast.expr, number: int, line: int, steps: int) -> _Line | None:
        """What made the value of `node`, as it stands at that line of a frame's file."""
        if not steps or number >= len(self._frames):
            return None
        source = self._source(number)
        if source is None:
            return None
        while isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and not _is_own(node)):
            node = node.value
        if isinstance(node, ast.Attribute):
            return self._of_attribute(source, node.attr, number, line, steps)
        return self._of_name(source, node.id, number, line, steps) if isinstance(node, ast.Name) else None

    def _of_name(self, source: OwnFile, name: str, number: int, line: int, steps: int) -> _Line | None:
        scope = _scope(source.tree, line)
        bindings = [each for each in _in_order(scope, name) if not _is_at(each, line)]
        if bindings:
            before = [each for each in bindings if each.lineno < line]
            if before or name not in _parameters(scope):
                return self._followed(source, (before or bindings)[-1], name, number, steps)
        if isinstance(scope, ast.Module):
            return None
        if name in _parameters(scope):
            return self._of_parameter(scope, name, number, steps)
        outer = _in_order(source.tree, name)
        return self._followed(source, outer[-1], name, number, steps) if outer else None

    def _of_attribute(self, source: OwnFile, name: str, number: int, line: int, steps: int) -> _Line | None:
        """The line of the class that assigns `self.name`."""
        classes = [node for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef)]
        around = [node for node in classes if node.lineno <= line <= (node.end_lineno or 0)]
        if not around:
            return None
        found = list(_assigned(around[-1], name))
        if not found:
            return None
        made, function = found[-1]
        value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Name) and value.id in _parameters(function):
            calls = [
                node
                for node in ast.walk(source.tree)
                if isinstance(node, ast.Call) and last_name(node.func) == around[-1].name
            ]
            given = _argument(calls[0], function, value.id) if len(calls) == 1 else None
            if given is not None and calls:
                return self._given(source, given, calls[0], number, steps)
        return _line(source, made)

    def _of_parameter(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, number: int, steps: int
    ) -> _Line | None:
        """The argument of the call in the frame outside."""
        outside = number + 1
        if outside >= len(self._frames) or not self._frames[outside].line:
            return None
        source = self._source(outside)
        here = self._frames[outside]
        if source is None:
            return None
        named = [
            node
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Call)
            and last_name(node.func) == function.name
            and _holds(node, here.line or 0)
        ]
        call = named[0] if len(named) == 1 else failing_call(here)
        if call is None:
            return None
        given = _argument(call, function, name)
        if given is None:
            return None
        found = self.of(given, outside, here.line or 0, steps - 1)
        return found or _Line(source.file, here.line or 0, here.code)

    def _given(
        self, source: OwnFile, given: ast.expr, call: ast.Call, number: int, steps: int
    ) -> _Line | None:
        """What a call was given: the line that made it, where it is a name; else the call's own line."""
        if isinstance(given, ast.Name):
            found = self._of_name(source, given.id, number, call.lineno, steps - 1)
            if found is not None:
                return found
        return _line(source, call)

    def _followed(
        self, source: OwnFile, made: ast.stmt | ast.expr, name: str, number: int, steps: int
    ) -> _Line | None:
        """The line, or where its value is only another name or a part of it, what made that."""
        value = made.value if isinstance(made, ast.Assign) else None
        while isinstance(value, ast.Subscript):
            value = value.value
        if isinstance(value, ast.Name) and value.id != name:
            found = self._of_name(source, value.id, number, made.lineno, steps - 1) if steps > 1 else None
            return found or _line(source, made)
        return _line(source, made)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"


def _line(source: OwnFile, node: ast.stmt | ast.expr) -> _Line:
    code = source.lines[node.lineno - 1].strip()
    if len(code) > MAX_CODE_CHARS:  # without the word that was cut: half a key is not known as one
        code = code[:MAX_CODE_CHARS].rpartition(" ")[0]
    return _Line(source.file, node.lineno, code)


def _scope(tree: ast.Module, line: int) -> Scope:
    """The innermost function around a line, or the module."""
    found: Scope = tree
    todo: list[ast.AST] = [tree]
    while todo:
        for node in ast.iter_child_nodes(todo.pop()):
            if isinstance(node, ast.stmt | ast.ExceptHandler):
                if not node.lineno <= line <= (node.end_lineno or 0):
                    continue
                found = node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else found
                todo.append(node)
            elif isinstance(node, ast.match_case):
                todo.append(node)
    return found


def _holds(node: ast.stmt | ast.expr, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or 0)


def _is_at(node: ast.stmt | ast.expr, line: int) -> bool:
    """Whether the line is part of a statement that has no body."""
    return _holds(node, line) and not hasattr(node, "body")


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of functions and classes in it."""
    todo = list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo += ast.iter_child_nodes(node)


def _in_order(scope: Scope, name: str) -> list[ast.stmt | ast.expr]:
    return sorted(_bindings(scope, name), key=lambda node: node.lineno)


def _bindings(scope: Scope, name: str) -> Iterator[ast.stmt | ast.expr]:
    """What gives the name a value in a scope, or fills the container that it names."""
    for node in _within(scope):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.NamedExpr | ast.For | ast.AsyncFor):
            targets = [node.target]
        elif isinstance(node, ast.With | ast.AsyncWith):
            targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and function.attr in FILLING:
                targets = [function.value]
        if any(_names(target, name) for target in targets):
            yield node  # type: ignore[misc]


def _names(target: ast.expr, name: str) -> bool:
    """Whether an assignment to `target` gives the name a value, or changes what it names."""
    if isinstance(target, ast.Tuple | ast.List):
        return any(_names(each, name) for each in target.elts)
    while isinstance(target, ast.Subscript | ast.Starred):
        target = target.value
    return isinstance(target, ast.Name) and target.id == name


def _assigned(cls: ast.ClassDef, name: str) -> Iterator[tuple[ast.stmt, ast.FunctionDef]]:
    """The statements of a class's methods that give `self.name` a value."""
    for function in cls.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in _within(function):
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AnnAssign) and node.value is not None:
                targets = [node.target]
            if isinstance(node, ast.Assign | ast.AnnAssign) and any(
                isinstance(each, ast.Attribute) and _is_own(each) and each.attr == name for each in targets
            ):
                yield node, function


def _parameters(function: Scope) -> list[str]:
    if isinstance(function, ast.Module):
        return []
    given = function.args
    return [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def _argument(call: ast.Call, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> ast.expr | None:
    """What a call gives for a parameter; None where that is not plain."""
    for keyword in call.keywords:
        if keyword.arg in (name, None):  # `**inputs` may hold it
            return keyword.value
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    if name not in names or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    at = names.index(name)
    return call.args[at] if at < len(call.args) else None
