"""Which entries claim a text by one of their wordings. No model, no numpy: this is the fast way to an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import re2

from .literals import squeezed
from .patterns import options
from .store import Store


@dataclass(frozen=True, slots=True)
class Claim:
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


class Signatures:
    """Every signature of a store. A pattern is compiled only when one of its literals stands in the text."""

    def __init__(self, store: Store) -> None:
        self.rows = store.signatures()
        self._compiled: dict[str, Any] = {}

    def compiled(self, pattern: str) -> Any:
        if pattern not in self._compiled:
            self._compiled[pattern] = re2.compile(pattern, options())
        return self._compiled[pattern]

    def claims(self, text: str) -> list[Claim]:
        """Every claim on `text`, in the order of the knowledge base; of one signature the last match."""
        short = squeezed(text)
        found = []
        for entry, number, pattern, context, literals in self.rows:
            if literals and not any(literal in short for literal in literals):
                continue
            match = None
            for found_here in self.compiled(pattern).finditer(text):
                match = found_here
            if match is None or (context and not self.compiled(context).search(text)):
                continue
            groups = tuple((name, value) for name, value in match.groupdict().items() if value is not None)
            found.append(Claim(entry, number, match.start(), match.end(), groups, context is not None))
        return found
