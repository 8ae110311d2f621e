"""Scores of all entries for one text. Most entries are never asked for, so no dictionary is made of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property


class EntryScores(Mapping[str, float]):
    """Scores by entry. `numbers`: the place of each id in `values`, ids in alphabetical order."""

    def __init__(self, numbers: Mapping[str, int], values: Sequence[float]) -> None:
        self._numbers = numbers
        self._values = values

    def __getitem__(self, entry: str) -> float:
        return self._values[self._numbers[entry]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    @cached_property
    def _ids(self) -> list[str]:
        return list(self._numbers)

    @cached_property
    def _order(self) -> list[int]:
        """Places in `values`, best first; a sort in reverse leaves equal ones in their order."""
        return sorted(range(len(self._values)), key=self._values.__getitem__, reverse=True)

    def first(self, count: int) -> list[str]:
        """The ids of the `count` best, best first; of equal scores the one that the alphabet has first."""
        return [self._ids[number] for number in self._order[:count]]


def first(scores: Mapping[str, float], count: int) -> list[str]:
    """The ids of the `count` best, best first; of equal scores the one that the alphabet has first."""
    if isinstance(scores, EntryScores):
        return scores.first(count)
    return sorted(scores, key=lambda entry: (-scores[entry], entry))[:count]
