"""Where the objects of a failing line come from: the line of the user's own program that made each.

Read off the source alone: the last line before that gave the name its value. A parameter is followed to the
call in the frame outside, a second name to the first.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torchwhy.paste.place import UserFrame
from torchwhy.source.line import failing_call, parsed_line
from torchwhy.source.module import Module
from torchwhy.source.nodes import Function, argument, holds, inside, is_self, own_nodes, parameters
from torchwhy.source.own_file import read_source
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import plain

from .places import place_words

MAX_STEPS = 6  # from a name to the line that made its object
MAX_SOURCE_BYTES = 1 << 17  # of a file that is looked through, some 3,500 lines
MAX_CODE_CHARS = 200
MAX_NAMES = 6  # of a line that are looked up
FILLING = ("append", "extend", "add", "update")
Scope = Function | ast.Module
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


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
            found.append(made._replace(name=name))
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
        elif isinstance(node, ast.Attribute) and is_self(node) and isinstance(node.ctx, ast.Load):
            found.setdefault(f"self.{node.attr}", node)
        else:
            todo += reversed(list(ast.iter_child_nodes(node)))
    found.pop("self", None)
    return found


class _Search:
    """Through the files of these frames; each is read once."""

    def __init__(self, frames: Sequence[UserFrame]) -> None:
        self._frames = frames
        self._sources: dict[int, Module | None] = {}

    def names(self) -> dict[str, ast.expr]:
        """What the failing line reads; of a statement on several lines, what all of them do."""
        here = self._frames[0]
        tree = parsed_line(here.expression) if here.expression else None
        tree = tree or parsed_line(here.code)
        source = self._source(0) if tree is None else None
        if source is not None:
            around = [node for node in inside(source.tree, ast.stmt) if _is_at(node, here.line or 0)]
            return _names_in(around[-1] if around else None)
        return _names_in(tree)

    def _source(self, number: int) -> Module | None:
        if number not in self._sources:
            self._sources[number] = read_source(self._frames[number], MAX_SOURCE_BYTES)
        return self._sources[number]

    def of(self, node: ast.expr, number: int, line: int, steps: int) -> Origin | None:
        """What made the value of `node`, as it stands at that line of a frame's file."""
        if not steps or number >= len(self._frames):
            return None
        source = self._source(number)
        if source is None:
            return None
        while isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and not is_self(node)):
            node = node.value
        if isinstance(node, ast.Attribute):
            return self._of_attribute(source, node.attr, number, line, steps)
        return self._of_name(source, node.id, number, line, steps) if isinstance(node, ast.Name) else None

    def _of_name(self, source: Module, name: str, number: int, line: int, steps: int) -> Origin | None:
        around: list[Comprehension] = source.around(line, *COMPREHENSIONS)
        own = [part.target for node in around for part in node.generators if _names(part.target, name)]
        if own:  # a comprehension's names are its alone
            return _line(source, own[-1])
        functions: list[Function] = source.around(line, ast.FunctionDef, ast.AsyncFunctionDef)
        scope: Scope = functions[-1] if functions else source.tree
        bindings = [each for each in _in_order(scope, name) if not _is_at(each, line)]
        if bindings:
            before = [each for each in bindings if each.lineno < line]
            if before or name not in parameters(scope):
                made = (before or bindings)[-1]
                if len(bindings) > 1 and _on_a_branch(source, made, line):
                    return None  # another line may have made it
                return self._followed(source, made, name, number, steps)
        if isinstance(scope, ast.Module):
            return None
        if name in parameters(scope):
            return self._of_parameter(scope, name, number, steps)
        outer = _in_order(source.tree, name)
        return self._followed(source, outer[-1], name, number, steps) if outer else None

    def _of_attribute(self, source: Module, name: str, number: int, line: int, steps: int) -> Origin | None:
        """The line of the class that assigns `self.name`."""
        around = source.around(line, ast.ClassDef)
        found = list(_assigned(around[-1], name)) if around else []
        if not found:
            return None
        made, function = found[-1]
        if len(found) > 1 and _on_a_branch(source, made, function.lineno):
            return None  # another line may have made it
        value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Name) and value.id in parameters(function):
            calls = source.called_as(around[-1].name)
            given = _argument(calls[0], function, value.id) if len(calls) == 1 else None
            if given is not None:
                return self._given(source, given, calls[0], number, steps)
        return _line(source, made)

    def _of_parameter(self, function: Function, name: str, number: int, steps: int) -> Origin | None:
        """The argument of the call in the frame outside."""
        outside = number + 1
        if outside >= len(self._frames) or not self._frames[outside].line:
            return None
        source = self._source(outside)
        here = self._frames[outside]
        if source is None:
            return None
        named = [each for each in source.called_as(function.name) if holds(each, here.line or 0)]
        call = named[0] if len(named) == 1 else failing_call(here)
        given = _argument(call, function, name) if call is not None else None
        if given is None:
            return None
        found = self.of(given, outside, here.line or 0, steps - 1)
        return found or Origin("", source.path, here.line or 0, here.code)

    def _given(
        self, source: Module, given: ast.expr, call: ast.Call, number: int, steps: int
    ) -> Origin | None:
        """What a call was given: the line that made it, where it is a name; else the call's own line."""
        if isinstance(given, ast.Name):
            found = self._of_name(source, given.id, number, call.lineno, steps - 1)
            if found is not None:
                return found
        return _line(source, call)

    def _followed(
        self, source: Module, made: ast.stmt | ast.expr, name: str, number: int, steps: int
    ) -> Origin | None:
        """The line, or where its value is only another name or a part of it, what made that."""
        value = made.value if isinstance(made, ast.Assign) else None
        while isinstance(value, ast.Subscript):
            value = value.value
        if isinstance(value, ast.Name) and value.id != name:
            found = self._of_name(source, value.id, number, made.lineno, steps - 1) if steps > 1 else None
            return found or _line(source, made)
        return _line(source, made)


def _line(source: Module, node: ast.stmt | ast.expr) -> Origin:
    code = source.lines[node.lineno - 1].strip()
    if len(code) > MAX_CODE_CHARS:  # without the word that was cut: half a key is not known as one
        code = code[:MAX_CODE_CHARS].rpartition(" ")[0]
    return Origin("", source.path, node.lineno, code)


def _on_a_branch(source: Module, node: ast.AST, line: int) -> bool:
    """Whether a node stands in a branch that the line is not part of."""
    branches = (ast.If, ast.Match, ast.ExceptHandler)
    return any(isinstance(each, branches) and not holds(each, line) for each in source.above(node))


def _is_at(node: ast.stmt | ast.expr, line: int) -> bool:
    """Whether the line is part of a statement that has no body."""
    return holds(node, line) and not hasattr(node, "body")


def _in_order(scope: Scope, name: str) -> list[ast.stmt | ast.expr]:
    return sorted(_bindings(scope, name), key=lambda node: node.lineno)


def _bindings(scope: Scope, name: str) -> Iterator[ast.stmt | ast.expr]:
    """What gives the name a value in a scope, or fills the container that it names."""
    for node in own_nodes(scope):
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
        for node in own_nodes(function):
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AnnAssign) and node.value is not None:
                targets = [node.target]
            if isinstance(node, ast.Assign | ast.AnnAssign) and any(
                isinstance(each, ast.Attribute) and is_self(each) and each.attr == name for each in targets
            ):
                yield node, function


def _argument(call: ast.Call, function: Function, name: str) -> ast.expr | None:
    """What a call gives for a parameter; None where that is not plain."""
    names = parameters(function)
    at = names.index(name) - (names[:1] in (["self"], ["cls"])) if name in names else -1
    given = argument(call, at, name)
    hidden = (each.value for each in call.keywords if each.arg is None)  # `**inputs` may hold it
    return given if given is not None else next(hidden, None)
