"""The given files as one project: what one imports from another is looked up there."""

from __future__ import annotations

import ast
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import PurePath

from assistant.text.python_source import parse_python

from .module import Module

FOREIGN = ("torch.", "builtins.", "numpy.", "math.", "os.", "sys.", "self.")  # never a file of the project
KEPT_MODULES = 64  # parsed files that are kept for those that import them


def parse(path: str, text: str) -> Module:
    """The module of a text. Raises SyntaxError, ValueError, RecursionError, MemoryError."""
    return Module(path, text, parse_python(text))


class Project:
    """Finds functions and classes by dotted name; files are parsed when something asks for them.

    `paths` are the files; `read` gives the text of one and may raise OSError or ValueError.
    """

    def __init__(self, paths: list[str], read: Callable[[str], str]) -> None:
        self._read = read
        self._by_stem: Mapping[str, list[str]] = _by_stem(paths)
        self._missing: set[tuple[str, str]] = set()
        self._kept: OrderedDict[str, Module | None] = OrderedDict()

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
        paths = [path for path in self._by_stem.get(stem, ()) if path != user.path]
        if not stem or not paths:
            return None
        # of several files of this name the one that shares most folders with the user's
        own = PurePath(user.path).parts
        path = max(paths, key=lambda each: _shared(PurePath(each).parts, own))
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
        self._kept[path] = module
        while len(self._kept) > KEPT_MODULES:
            self._kept.popitem(last=False)


def _by_stem(paths: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        pure = PurePath(path)
        stem = pure.parent.name if pure.name == "__init__.py" else pure.stem
        found.setdefault(stem, []).append(path)
    return found


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
