"""What a rule says, and how its file is loaded."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from torchwhy.knowledge.beside import RefusedPythonError, executed
from torchwhy.source.module import Module
from torchwhy.source.rewrite import Edit

FILE = "lint.py"
WRONG, LOOK = "wrong", "look"
Words = str | tuple[str, str]
# of a rule with several mistakes, which gives the words with each place
SAYS_OF_EACH, FIX_OF_EACH = (
    dict.fromkeys(("en", "zh"), "`{code}` {says}"),
    dict.fromkeys(("en", "zh"), "{fix}"),
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A place that a rule reports. `sure`: wrong, or look for what only the author can judge. `raises`:
    whether it can be what an error came from.

    `values` fill the {names} of the rule's sentences: code, or a pair of words (English, Chinese).
    """

    node: ast.AST
    sure: str
    values: Mapping[str, Words]
    edit: Edit | None = None
    raises: bool = True


@dataclass(frozen=True, slots=True)
class Rule:
    """A loaded lint.py. `says`, `fix`: by language; `in_repro`: how the line begins that the broken leg is
    reported at, None where the script does not show the mistake in its source.
    """

    id: str
    path: Path
    find: Callable[[Module], Iterable[Sighting]]
    says: Mapping[str, str]
    fix: Mapping[str, str]
    in_repro: str | None

    @property
    def category(self) -> str:
        return self.path.parent.parent.name


class BrokenRuleError(Exception):
    """A lint.py that cannot be loaded, or lacks what it must define."""


def wrong(node: ast.AST, edit: Edit | None = None, **values: Words) -> Sighting:
    """This is wrong, whatever else the program does."""
    return Sighting(node, WRONG, values, edit)


def look(node: ast.AST, *, raises: bool = True, **values: Words) -> Sighting:
    """This is worth a look: the text alone does not settle it (shown with --strict). `raises=False`: it is
    never what an error came from.
    """
    return Sighting(node, LOOK, values, raises=raises)


def rule_files(roots: Sequence[Path]) -> Iterator[Path]:
    """Every lint.py of these knowledge bases, sorted."""
    for root in roots:
        yield from sorted(root.glob(f"[!_.]*/[!_.]*/{FILE}"))


def load_rule(path: Path, sha256: str | None = None) -> Rule:
    """Load one lint.py, which runs it. `sha256`: of the content that may run, where it is not a
    shipped one; another content does not run. Raises BrokenRuleError.
    """
    id = path.parent.name
    try:
        names = executed(path, sha256, f"torchwhy_lint_{id.replace('-', '_')}")
        find, says, fix = names["find"], names.get("SAYS", SAYS_OF_EACH), names.get("FIX", FIX_OF_EACH)
        in_repro = names["IN_REPRO"]
    except RefusedPythonError as error:
        raise BrokenRuleError(str(error)) from error
    except Exception as error:  # the file is a plug-in: whatever it raises is its own
        raise BrokenRuleError(f"{path}: {type(error).__name__}: {error}") from error
    for name, texts in (("SAYS", says), ("FIX", fix)):
        if not isinstance(texts, dict) or set(texts) != {"en", "zh"} or not all(texts.values()):
            raise BrokenRuleError(f"{path}: {name} must hold a sentence for en and for zh")
    if not callable(find) or not (in_repro is None or isinstance(in_repro, str)):
        raise BrokenRuleError(f"{path}: find must be a function, IN_REPRO a text or None")
    return Rule(id, path, find, says, fix, in_repro)
