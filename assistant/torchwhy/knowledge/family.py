"""A family: one symptom that several entries explain, and the checks that tell them apart."""

from typing import NamedTuple

from torchwhy.text.language import Bilingual

from .entry import Source

YES, NO = "yes", "no"  # ids of answers that need no label


class CheckAnswer(NamedTuple):
    """One way a check may end: the members that it makes more and less likely.

    `label` names it (None: it is yes or no); `signs` are RE2 patterns of texts that say so themselves.
    """

    id: str
    label: Bilingual | None = None
    signs: tuple[str, ...] = ()
    raises: tuple[str, ...] = ()
    lowers: tuple[str, ...] = ()


class Check(NamedTuple):
    """A question, or a check of one line, that tells members of a family apart."""

    ask: Bilingual
    answers: tuple[CheckAnswer, ...]


class Family(NamedTuple):
    """A symptom that several entries explain. `members` are ids of entries."""

    id: str
    title: Bilingual
    about: Bilingual
    members: tuple[str, ...]
    checks: tuple[Check, ...]
    sources: tuple[Source, ...]
