"""The user's own source around the line that failed: read, parsed by `ast`, never imported or run.

Only files that the text's own frames name are opened, and only where the line there still reads as in the
text.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from torchwhy.paste.place import UserFrame, is_far
from torchwhy.runtime.plain_files import open_plain
from torchwhy.text.python_source import parse_python

MAX_SOURCE_BYTES = 1 << 20  # of a file that is read; a longer one is generated
MAX_LINE_CHARS = 2_000  # of a line that is parsed: Python's parser takes the square of the time for some
MAX_POWER = 1 << 40  # of a number that is worked out
MAX_OWNERS = 8  # objects that one line calls; the file is looked through for each
KEPT_TREES = 2  # of whole files
# Calls that are not what failed when torch raised.
BUILTINS = frozenset(
    ["print", "len", "float", "int", "str", "list", "tuple", "range", "enumerate", "tqdm", "super", "open"]
)


class OwnFile(NamedTuple):
    """A file as it lies here: its lines, and its tree (None where it does not parse)."""

    file: str
    lines: tuple[str, ...]
    tree: ast.Module


class MakingCall(NamedTuple):
    """A call that made an object: the source's line, its number, and where in it one argument stands."""

    file: str
    line: int
    text: str
    start: int
    end: int
    value: int | None

    @property
    def argument(self) -> str:
        return self.text[self.start : self.end]

    def with_argument(self, new: str) -> str:
        return (self.text[: self.start] + new + self.text[self.end :]).strip()


class Called(NamedTuple):
    """A call in the source: its node, its first line, and where in that its closing bracket stands (0: on a
    later line).
    """

    node: ast.Call
    text: str
    end: int

    def with_keyword(self, keyword: str) -> str:
        before = self.text[: self.end].rstrip().removesuffix(",").rstrip()
        comma = ", " if self.node.args or self.node.keywords else ""
        return f"{before}{comma}{keyword}{self.text[self.end :]}".strip()


def read_source(here: UserFrame, most: int = MAX_SOURCE_BYTES) -> OwnFile | None:
    """The file of this line, if it lies here and the line reads as in the text; None otherwise.

    `most`: bytes of a file that is read. Nothing but a plain file is opened, so that a pipe or a device named
    in a text stops nothing.
    """
    if not here.line or not here.code or not here.file.endswith(".py") or is_far(here.file):
        return None
    try:
        with open_plain(here.file) as file:
            if os.fstat(file.fileno()).st_size > most:
                return None
            text = file.read(most).decode("utf-8", "replace")
        lines = tuple(text.splitlines())
        if here.line > len(lines) or "".join(lines[here.line - 1].split()) != "".join(here.code.split()):
            return None
        return OwnFile(here.file, lines, _tree_of_file(text))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def made_by(
    source: OwnFile, here: UserFrame, name: str, argument: int, keyword: str | None
) -> list[MakingCall]:
    """The calls of `name` (`Linear|LazyLinear`) that made the object of the failing call, each at that
    argument.
    """
    names = set(name.split("|"))
    found: dict[tuple[int, int], MakingCall] = {}
    for call in _makers(source, here, names):
        made = at_argument(source, call, argument, keyword)
        if made is not None:
            found[made.line, made.start] = made
    return list(found.values())


def calls_that_made(source: OwnFile, here: UserFrame, name: str) -> list[Called]:
    """The calls of `name` (`CrossEntropyLoss|NLLLoss`) that made the object of the failing call."""
    return [
        Called(call, source.lines[call.lineno - 1], _closing(source, call))
        for call in _makers(source, here, set(name.split("|")))
    ]


def _makers(source: OwnFile, here: UserFrame, names: set[str]) -> Iterator[ast.Call]:
    for owner in _called_objects(here):
        for value in _assigned(source, here, owner):
            for call in ast.walk(value):
                if isinstance(call, ast.Call) and last_name(call.func) in names:
                    yield call


def made_outside(source: OwnFile, here: UserFrame, caller: UserFrame, made: MakingCall) -> MakingCall | None:
    """Where the object around `here` got what its class hands on to the call `made`: of
    `nn.Conv2d(width, width, 3)` in a Block the `Block(32)` that made the one which `caller` calls.

    None where the argument is no bare parameter of the class's `__init__`, or the object is not plain.
    """
    classes = _classes_around(source, here)
    begins = [
        node
        for node in (classes[-1].body if classes else ())
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    ]
    names = [each.arg for each in begins[0].args.args[1:]] if begins else []
    lines = {
        node.lineno
        for node in (ast.walk(begins[0]) if begins else ())
        if isinstance(node, ast.Name) and node.id == made.argument
    }
    # what else is made of it would change too
    outside = read_source(caller) if made.argument in names and lines == {made.line} else None
    if outside is None:
        return None
    for owner in _called_objects(caller)[:1]:
        for value in _assigned(outside, caller, owner):
            calls = [
                node
                for node in ast.walk(value)
                if isinstance(node, ast.Call) and last_name(node.func) == classes[-1].name
            ]
            if len(calls) == 1:
                return at_argument(outside, calls[0], names.index(made.argument), made.argument)
    return None


def calls_of(source: OwnFile, name: str) -> list[Called]:
    """Every call of one of these names (`DataParallel|DDP`) in the file, in the order of its lines, whatever
    it was imported as.
    """
    names = set(name.split("|"))
    names |= {
        each.asname
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ImportFrom)
        for each in node.names
        if each.asname and each.name in names
    }
    nodes = [
        node for node in ast.walk(source.tree) if isinstance(node, ast.Call) and last_name(node.func) in names
    ]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    return [Called(node, source.lines[node.lineno - 1], _closing(source, node)) for node in nodes]


def has_keyword(call: ast.Call, name: str, value: object = None) -> bool:
    """Whether the call names this argument (with this constant, where one is given)."""
    return any(
        each.arg == name
        and (value is None or (isinstance(each.value, ast.Constant) and each.value.value is value))
        for each in call.keywords
    )


def value_of(source: OwnFile, node: ast.expr) -> int | None:
    """The whole number that an expression gives, also by a name that the file binds once; None where that is
    not known.
    """
    if isinstance(node, ast.Name):
        values = list(_assignments(source.tree, (False, node.id)))
        return number_of(values[0]) if len(values) == 1 else None
    return number_of(node)


def class_around(source: OwnFile, here: UserFrame) -> str | None:
    """The name of the innermost class around a line."""
    found = _classes_around(source, here)
    return found[-1].name if found else None


def _classes_around(source: OwnFile, here: UserFrame) -> list[ast.ClassDef]:
    """The classes in which a line stands, the innermost last."""
    return [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef) and node.lineno <= (here.line or 0) <= (node.end_lineno or 0)
    ]


def names_in(tree: ast.AST) -> set[str]:
    """Every name that the code uses, of keywords and attributes too; comments and strings are none."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.add(node.name.rpartition(".")[2])
    return found


def keyword_of(call: ast.Call, name: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg == name), None)


def parameters_of(source: OwnFile, owner: str, method: str) -> list[str]:
    """The names of a method's parameters without the first; nothing where the file has not just one."""
    found = [
        [each.arg for each in (*function.args.posonlyargs, *function.args.args)][1:]
        for cls in ast.walk(source.tree)
        if isinstance(cls, ast.ClassDef) and cls.name == owner
        for function in cls.body
        if isinstance(function, ast.FunctionDef) and function.name == method and not function.args.vararg
    ]
    return found[0] if len(found) == 1 else []


def only_return(source: OwnFile, owner: str, method: str) -> tuple[int, str] | None:
    """The only `return` with a value in a class's method: (number, text) of its line, or None."""
    found = [
        node
        for cls in ast.walk(source.tree)
        if isinstance(cls, ast.ClassDef) and cls.name == owner
        for function in cls.body
        if isinstance(function, ast.FunctionDef) and function.name == method
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value is not None
    ]
    return (found[0].lineno, source.lines[found[0].lineno - 1].strip()) if len(found) == 1 else None


def _closing(source: OwnFile, call: ast.Call) -> int:
    """Where in its line the closing bracket of a call on one line stands; 0 for one on several lines."""
    if call.lineno != call.end_lineno:
        return 0
    raw = source.lines[call.lineno - 1].encode("utf-8", "replace")  # ast counts bytes
    return len(raw[: (call.end_col_offset or 1) - 1].decode("utf-8", "replace"))


def failing_call(here: UserFrame) -> ast.Call | None:
    """The call of the line that failed: what the carets mark, else the only one there."""
    for text in (here.expression, here.code):
        tree = parsed_line(text)
        if tree is None:
            continue
        calls = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and last_name(node.func) not in BUILTINS
        ]
        if text == here.expression and calls:
            return calls[0]  # the outermost one is what failed
        if len(calls) == 1:
            return calls[0]
    return None


def only_call(text: str, name: str) -> ast.Call | None:
    """The only call of one of these names (`gather|take`) in a line; None where there is none, or several."""
    tree, names = parsed_line(text), set(name.split("|"))
    calls = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Call) and last_name(node.func) in names
    ]
    return calls[0] if len(calls) == 1 else None


def parsed_line(text: str) -> ast.AST | None:
    """The tree of one line that was cut out of a program; None where it does not stand alone, or nobody wrote
    it.
    """
    if len(text) > MAX_LINE_CHARS:
        return None
    for attempt in (text, f"{text} pass"):
        try:
            return parse_python(attempt)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


@lru_cache(maxsize=KEPT_TREES)
def _tree_of_file(text: str) -> ast.Module:
    """The tree of a whole file, kept for the next look at it: an answer takes several, and parsing is the
    most of each. Nobody changes a tree.
    """
    return parse_python(text)


def last_name(node: ast.expr) -> str:
    """`nn.Linear` -> Linear; "" for what has no name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def number_of(node: ast.AST) -> int | None:
    """The whole number that a constant expression gives (`32 * 8 * 8`); None where names are in it."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value if abs(node.value) <= MAX_POWER else None
    if isinstance(node, ast.BinOp):
        left, right = number_of(node.left), number_of(node.right)
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


def _called_objects(here: UserFrame) -> list[tuple[bool, str]]:
    """The objects that the failing line calls: (whether an attribute, its last name), the failing call's
    first.
    """
    call = failing_call(here)
    tree = parsed_line(here.code)
    calls = [call] if call is not None else []
    if not calls and tree is not None:
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = []
    for each in calls[:MAX_OWNERS]:
        target: ast.expr = each.func
        while isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Attribute):
            names.append((True, target.attr))
        elif isinstance(target, ast.Name):
            names.append((False, target.id))
    return names


def _assigned(source: OwnFile, here: UserFrame, owner: tuple[bool, str]) -> Iterator[ast.expr]:
    """The values that are assigned to this name: in the class around the line, else the only one of the
    file.
    """
    around = _classes_around(source, here)
    inner = list(_assignments(around[-1], owner)) if around and owner[0] else []
    values = inner or list(_assignments(source.tree, owner))
    if len(values) == 1:
        yield values[0]


def _assignments(tree: ast.AST, owner: tuple[bool, str]) -> Iterator[ast.expr]:
    attribute, name = owner
    for node in _all_assignments(tree):
        if node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        pairs = [(target, node.value) for target in targets]
        for target, value in pairs:
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):  # BATCH, LENGTH = 32, 20
                pairs += zip(target.elts, value.elts, strict=False)
            named = isinstance(target, ast.Attribute) if attribute else isinstance(target, ast.Name)
            if named and last_name(target) == name:
                yield value


@lru_cache(maxsize=KEPT_TREES)
def _all_assignments(tree: ast.AST) -> tuple[ast.Assign | ast.AnnAssign, ...]:
    """Of a file, or of a class in it: to walk through a large one takes most of a look."""
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign))


def at_argument(source: OwnFile, call: ast.Call, argument: int, keyword: str | None) -> MakingCall | None:
    """The call at one of its arguments; None where it is not given, or not on one line."""
    node: ast.expr | None = next(
        (each.value for each in call.keywords if keyword and each.arg == keyword), None
    )
    if node is None and argument < len(call.args):
        node = call.args[argument]
    if node is None or isinstance(node, ast.Starred) or node.lineno != node.end_lineno:
        return None
    text = source.lines[node.lineno - 1]
    raw = text.encode("utf-8", "replace")  # ast counts bytes
    start = len(raw[: node.col_offset].decode("utf-8", "replace"))
    end = len(raw[: node.end_col_offset].decode("utf-8", "replace"))
    return MakingCall(source.file, node.lineno, text, start, end, number_of(node))
