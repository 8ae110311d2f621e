"""Which wordings of the knowledge base a text shows. This is the one place that decides it: for an answer,
for what a script printed, for `torchwhy kb check`. No model, no numpy: it is the fast way to an answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import re2

from .literals import all_required_literals, most_selective, squeezed, whole_word, words_of
from .patterns import options, spaced

if TYPE_CHECKING:
    from .entry import Pitfall, Signature


class Wording(NamedTuple):
    """One signature of an entry, as it is searched for. `literals`: lower-case texts, one of which stands in
    every match; `words`: of each literal the word that stands whole in it, or ""; `further`: more texts of
    which every match holds one of each line, tabs between those of a line.
    """

    entry: str
    number: int
    pattern: str
    context: str | None
    literals: tuple[str, ...]
    words: tuple[str, ...]
    further: str


class Claim(NamedTuple):
    """One signature that matches: where in the text, how much of it, with which groups."""

    entry: str
    number: int
    start: int
    end: int
    groups: tuple[tuple[str, str], ...]
    context: bool

    @property
    def length(self) -> int:
        return self.end - self.start


def wordings_of(id: str, signatures: Iterable[Signature]) -> list[Wording]:
    """The signatures of one entry, as they are searched for."""
    rows = []
    for number, signature in enumerate(signatures):
        pattern = spaced(signature.pattern)
        context = spaced(signature.context) if signature.context else None
        required = all_required_literals(pattern)
        literals = most_selective(required)
        further = "\n".join("\t".join(texts) for texts in required if texts != literals)
        words = tuple(map(whole_word, literals))
        rows.append(Wording(id, number, pattern, context, literals, words, further))
    return rows


class WordingSearch:
    """Signatures of a knowledge base, wherever they are kept. A pattern is compiled only when the text holds
    all that it requires.
    """

    def __init__(self) -> None:
        self._compiled: dict[str, Any] = {}

    def possible(self, text: str) -> list[Wording]:
        """The wordings of which a squeezed text holds all that they require, in their order."""
        raise NotImplementedError

    def compiled(self, pattern: str) -> Any:
        if pattern not in self._compiled:
            self._compiled[pattern] = re2.compile(pattern, options())
        return self._compiled[pattern]

    def matches(self, text: str) -> Iterator[tuple[Wording, list[Any]]]:
        """Each wording that `text` shows, its context included, with all its RE2 matches; in the order of the
        knowledge base.
        """
        for wording in self.possible(squeezed(text)):
            matches = list(self.compiled(wording.pattern).finditer(text))
            if matches and (not wording.context or self.compiled(wording.context).search(text)):
                yield wording, matches

    def claims(self, text: str) -> list[Claim]:
        """Every claim on `text`, in the order of the knowledge base; of one signature the last match."""
        return [_claim(*wording[:4], matches[-1]) for wording, matches in self.matches(text)]

    def claimants(self, text: str) -> set[str]:
        """The ids of the entries that claim `text`."""
        return {wording[0] for wording, _ in self.matches(text)}


class Wordings(WordingSearch):
    """Signatures in memory. A literal is looked for once, and only where its word stands."""

    def __init__(self, rows: Sequence[Wording]) -> None:
        super().__init__()
        self.rows = rows
        self._literals: dict[str, dict[str, list[int]]] = {}  # by their word: literal, numbers of its rows
        for number, row in enumerate(rows):
            for word, literal in looked_for(row):
                self._literals.setdefault(word, {}).setdefault(literal, []).append(number)

    @classmethod
    def of(cls, entries: Iterable[Pitfall]) -> Wordings:
        """The wordings of these entries, in their order."""
        return cls([row for entry in entries for row in wordings_of(entry.id, entry.signatures)])

    def possible(self, text: str) -> list[Wording]:
        numbers: set[int] = set()
        for word in self._literals.keys() & {"", *words_of(text)}:
            for literal, owners in self._literals[word].items():
                if literal in text:
                    numbers.update(owners)
        return with_further([self.rows[number] for number in sorted(numbers)], text)


def looked_for(row: Wording) -> list[tuple[str, str]]:
    """(word, literal) of each text by which a wording is found; both "" where it requires none."""
    return list(zip(row.words, row.literals, strict=True)) or [("", "")]


def with_further(rows: Iterable[Wording], text: str) -> list[Wording]:
    """Those of the wordings whose further texts a squeezed text holds as well."""
    return [row for row in rows if not row.further or _holds_further(text, row.further)]


def _holds_further(text: str, further: str) -> bool:
    return all(any(map(text.__contains__, line.split("\t"))) for line in further.split("\n"))


def _claim(entry: str, number: int, pattern: str, context: str | None, match: Any) -> Claim:
    groups = tuple((name, value) for name, value in match.groupdict().items() if value is not None)
    return Claim(entry, number, match.start(), match.end(), groups, context is not None)
