"""A family: one symptom that several entries explain, and the checks that tell them apart."""

from __future__ import annotations

from dataclasses import dataclass

from torchwhy.text.language import Bilingual

from .entry import Source

FAMILIES_FOLDER = "_families"
YES, NO = "yes", "no"  # ids of answers that need no label


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """One way a check may end: the members that it makes more and less likely.

    `label` names it (None: it is yes or no); `signs` are RE2 patterns of texts that say so themselves.
    """

    id: str
    label: Bilingual | None = None
    signs: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    lowers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """A question, or a check of one line, that tells members of a family apart."""

    ask: Bilingual
    answers: tuple[CheckAnswer, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """A symptom that several entries explain. `members` are ids of entries; `signs` are RE2 patterns of texts
    that describe the symptom.
    """

    id: str
    title: Bilingual
    about: Bilingual
    signs: tuple[str, ...]
    members: tuple[str, ...]
    checks: tuple[Check, ...]
    sources: tuple[Source, ...]
