"""What a rule says, and how its file is loaded."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from .module import Module

FILE = "lint.py"
WRONG, LOOK = "wrong", "look"
Words = str | tuple[str, str]


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one line that cannot be wrong: the text between two columns (0-based, characters)."""

    line: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A place that a rule reports. `sure`: wrong, or look for what only the author can judge.

    `values` fill the {names} of the rule's sentences: code, or a pair of words (English, Chinese).
    """

    node: ast.AST
    sure: str
    values: Mapping[str, Words]
    edit: Edit | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A loaded lint.py. `says`, `fix`: by language; `in_repro`: how the line begins that the broken leg is
    reported at, None where the script does not show the mistake in its source.
    """

    id: str
    path: Path
    find: Callable[[Module], Iterable[Seen]]
    says: Mapping[str, str]
    fix: Mapping[str, str]
    in_repro: str | None


class BrokenRuleError(Exception):
    """A lint.py that cannot be loaded, or lacks what it must define."""


def wrong(node: ast.AST, edit: Edit | None = None, **values: Words) -> Seen:
    """This is wrong, whatever else the program does."""
    return Seen(node, WRONG, values, edit)


def look(node: ast.AST, **values: Words) -> Seen:
    """This is worth a look: the text alone does not settle it (shown with --strict)."""
    return Seen(node, LOOK, values)


def rule_files(roots: Sequence[Path]) -> Iterator[Path]:
    """Every lint.py of these knowledge bases, sorted."""
    for root in roots:
        yield from sorted(root.glob(f"[!_.]*/[!_.]*/{FILE}"))


def load_rule(path: Path) -> Rule:
    """Load one lint.py, which runs it. Raises BrokenRuleError."""
    id = path.parent.name
    try:
        module = _executed(path, f"torchwhy_lint_{id.replace('-', '_')}")
        find, says, fix = module.find, module.SAYS, module.FIX
        in_repro = module.IN_REPRO
    except Exception as error:  # the file is a plug-in: whatever it raises is its own
        raise BrokenRuleError(f"{path}: {type(error).__name__}: {error}") from error
    for name, texts in (("SAYS", says), ("FIX", fix)):
        if not isinstance(texts, dict) or set(texts) != {"en", "zh"} or not all(texts.values()):
            raise BrokenRuleError(f"{path}: {name} must hold a sentence for en and for zh")
    if not callable(find) or not (in_repro is None or isinstance(in_repro, str)):
        raise BrokenRuleError(f"{path}: find must be a function, IN_REPRO a text or None")
    return Rule(id, path, find, says, fix, in_repro)


def _executed(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = (
        sys.dont_write_bytecode,
        True,
    )  # a knowledge base holds no compiled files
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module
