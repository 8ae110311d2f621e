"""The user's own file around the line that failed: parsed as it lies here, never imported or run.

Only files that the text's own frames name are opened, and only where the line there still reads as in the
text.
"""

from __future__ import annotations

import ast
import math
import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice

from torchwhy.paste.place import UserFrame, is_far
from torchwhy.runtime.plain_files import open_plain
from torchwhy.text.python_source import parse_python

from .line import called_objects
from .module import Module
from .nodes import argument_of, inside, last_name, number_of
from .settings import settled

MAX_SOURCE_BYTES = 1 << 20  # of a file that is read; a longer one is generated
MAX_OWNERS = 8  # objects that one line calls; the file is looked through for each
KEPT_FILES = 2


def read_source(here: UserFrame, most: int = MAX_SOURCE_BYTES) -> Module | None:
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
            text = file.read(most).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        lines = text.split("\n")
        if here.line > len(lines) or "".join(lines[here.line - 1].split()) != "".join(here.code.split()):
            return None
        return _module(here.file, text)
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=KEPT_FILES)
def _module(path: str, text: str) -> Module:
    """Kept for the next look at the file: an answer takes several, and parsing is the most of each."""
    module = Module(path, text, parse_python(text))
    module.begin(math.inf)
    return module


def makers(source: Module, here: UserFrame, name: str, owners: int = MAX_OWNERS) -> list[ast.Call]:
    """The calls of `name` (`Linear|LazyLinear`) that made the objects which a line calls."""
    names = name.split("|")
    found = (call for value in _made(source, here, owners) for call in inside(value, ast.Call))
    return [*dict.fromkeys(call for call in found if last_name(call.func) in names)]


def _made(source: Module, here: UserFrame, owners: int) -> Iterator[ast.expr]:
    """The only value that the class around, else the file, assigns to each object which the line calls."""
    for owner in islice(called_objects(here), owners):
        around = source.around(here.line or 0, ast.ClassDef)[-1:] if isinstance(owner, ast.Attribute) else []
        values = (around and source.assigned(owner, around[0])) or source.assigned(owner)
        if len(values) == 1:
            yield values[0]


def handed_on(
    source: Module, here: UserFrame, name: str, given: Callable[[ast.Call], ast.expr | None]
) -> list[ast.expr]:
    """What functions of the file hand on to the calls of `name` that made the objects which a line calls: of
    `conv(8, 16)` the 8, where the function gives `nn.Conv2d` its first parameter, and nothing else.
    """
    found: list[ast.expr | None] = []
    for value in _made(source, here, MAX_OWNERS):
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
            continue
        function = source.functions.get(value.func.id)
        makers_in = [each for each in inside(function, ast.Call) if last_name(each.func) in name.split("|")]
        read = [each.id for each in inside(function, ast.Name)]
        names = [node.id for node in map(given, makers_in) if isinstance(node, ast.Name)]
        once = [each for each in names if read.count(each) == 1]
        found += [argument_of(function, value, each) for each in once if function is not None]
    return [each for each in found if each is not None]


def calls_of(source: Module, name: str) -> list[ast.Call]:
    """Every call of one of these names (`DataParallel|DDP`) in the file, in the order of its lines, whatever
    it was imported as.
    """
    names = name.split("|")
    imported = (known for known, origin in source.imports.items() if origin.rpartition(".")[2] in names)
    return source.called_as(*dict.fromkeys([*names, *imported]))


def made_by(source: Module, node: ast.expr, name: str) -> bool:
    """Whether all that the file assigns to a name (`self.loss`, `criterion`) is a call of one of these."""
    found = source.assigned(node)
    return bool(found) and all(
        isinstance(each, ast.Call) and last_name(each.func) in name.split("|") for each in found
    )


def value_of(source: Module, node: ast.expr) -> int | None:
    """The whole number that an expression of the file gives, also by names whose only value the file settles;
    None where that is not known.
    """

    def named(name: ast.expr) -> int | None:
        values = [value for value in source.values(name) if value is not name]
        found = {number_of(value) for value in values or source.assigned(name)}
        set_to = settled(source, name) if not found else None
        found |= {number_of(set_to)} if set_to is not None else set()
        return found.pop() if len(found) == 1 else None

    return number_of(node, named)


def without_gradients(source: Module, node: ast.AST) -> ast.With | ast.FunctionDef | None:
    """The innermost `with torch.no_grad():` around a node, or a function that is decorated so."""
    for above in source.above(node):
        entered: list[ast.expr] = []
        if isinstance(above, ast.With):
            entered = [each.context_expr for each in above.items]
        elif isinstance(above, ast.FunctionDef):
            entered = above.decorator_list
        names = {last_name(each) for part in entered for each in inside(part, ast.Name, ast.Attribute)}
        if names & {"no_grad", "inference_mode"} and isinstance(above, ast.With | ast.FunctionDef):
            return above
    return None


def names_of(source: Module) -> set[str]:
    """Every name that the file uses, of keywords and attributes too; comments and strings are none."""
    found = {each.id for each in source.of(ast.Name)} | {each.attr for each in source.of(ast.Attribute)}
    found |= {each.arg for each in source.of(ast.keyword) if each.arg}
    return found | {each.name.rpartition(".")[2] for each in source.of(ast.alias)}


def methods_of(source: Module, owner: str, method: str) -> Iterator[ast.FunctionDef]:
    """The methods of this name, of every class of that name in the file."""
    for cls in source.of(ast.ClassDef):
        for each in cls.body if cls.name == owner else ():
            if isinstance(each, ast.FunctionDef) and each.name == method:
                yield each
