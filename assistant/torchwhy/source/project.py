"""The given files as one project: what one imports from another is looked up there."""

from __future__ import annotations

import ast
import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import PurePath

from torchwhy.text.python_source import parse_piece, parse_python

from .module import Module

FOREIGN = ("torch.", "builtins.", "numpy.", "math.", "os.", "sys.", "self.")  # never a file of the project
# Of parsed files, kept for those that import them: a character takes up to a kilobyte.
KEPT_CHARS = 1 << 20


def parse(path: str, text: str) -> Module:
    """The module of a text. Raises SyntaxError, ValueError, RecursionError, MemoryError."""
    return Module(path, text, parse_python(text))


def parse_cut(path: str, text: str) -> tuple[Module, SyntaxError | None]:
    """The module of a piece as far as it can be read, and the first error in it. Raises as `parse` does."""
    tree, error = parse_piece(text)
    return Module(path, text, tree), error


class Project:
    """Finds functions and classes by dotted name; files are parsed when something asks for them.

    `paths` are the files; `read` gives the text of one and may raise OSError or ValueError.
    """

    def __init__(self, paths: list[str], read: Callable[[str], str]) -> None:
        self._read = read
        self._nearest = _Nearest(paths)
        self._missing: set[tuple[str, str]] = set()
        self._kept: OrderedDict[str, Module | None] = OrderedDict()
        self._chars = 0
        self.chars_since = 0  # of the files parsed since somebody set it to 0

    def adopt(self, module: Module) -> Module:
        """Make a module one of the project, so that its imports are followed."""
        module.elsewhere = lambda dotted: self.find(dotted, module)
        self._keep(module.path, module)
        return module

    def find(self, dotted: str, user: Module) -> tuple[Module, ast.AST] | None:
        """The function or class of this name in another given file, with that file's module."""
        above, _, last = dotted.rpartition(".")
        if dotted.startswith(FOREIGN) or (dotted, user.path) in self._missing:
            return None
        stem = above.rpartition(".")[2]
        path = self._nearest.path(stem, user.path) if stem else None
        if path is None:
            return None
        module = self._kept[path] if path in self._kept else self._opened(path)
        if module is None:
            self._missing.add((dotted, user.path))
            return None
        found: ast.AST | None = module.functions.get(last)
        if found is None and last in module.classes:
            found = module.classes[last].node
        if found is None:
            self._missing.add((dotted, user.path))
        return (module, found) if found is not None else None

    def _opened(self, path: str) -> Module | None:
        try:
            return self.adopt(parse(path, self._read(path)))
        except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
            self._keep(path, None)
            return None

    def _keep(self, path: str, module: Module | None) -> None:
        self._let_go(path)
        self._kept[path] = module
        self._chars += _chars(module)
        self.chars_since += _chars(module)
        while self._chars > KEPT_CHARS and len(self._kept) > 1:
            self._let_go(next(iter(self._kept)))

    def _let_go(self, path: str) -> None:
        self._chars -= _chars(self._kept.pop(path, None))


def _chars(module: Module | None) -> int:
    return len(module.text) if module is not None else 0


class _Nearest:
    """The files of one name by the folders that they lie in, at whatever depth."""

    def __init__(self, paths: list[str]) -> None:
        self._numbers: dict[tuple[int, str], int] = {}  # of a folder: by that of the one above and its name
        self._above: dict[str, list[int]] = {}
        # the first two: one of them may be the one that asks
        self._found: dict[tuple[str, int], list[str]] = {}
        for path in paths:
            pure = PurePath(path)
            stem = pure.parent.name if pure.name == "__init__.py" else pure.stem
            for folder in reversed(self._folders(path)):
                known = self._found.setdefault((stem, folder), [])
                if len(known) >= 2:  # so it is above
                    break
                known.append(path)

    def _folders(self, path: str) -> list[int]:
        """The folders that a file lies in, the outermost first, as numbers."""
        parent = os.path.dirname(path)
        if parent not in self._above:
            found = [0]
            for part in PurePath(parent).parts:
                key = (found[-1], part)
                found.append(self._numbers.setdefault(key, len(self._numbers) + 1))
            self._above[parent] = found
        return self._above[parent]

    def path(self, stem: str, user: str) -> str | None:
        """The one that shares most folders with the user's, which it is not."""
        for folder in reversed(self._folders(user)):
            for path in self._found.get((stem, folder), ()):
                if path != user:
                    return path
        return None
