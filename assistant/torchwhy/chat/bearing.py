"""How what a user says bears on entries: how near a sentence is to them, and so what speaks for or against.

Nearness is meaning (the discriminant on the shipped vectors) and words (the share of the sentence's rare
terms that the entry's first remedy holds, in both languages).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from torchwhy.retrieval.tokens import all_tokens
from torchwhy.text.language import LANGS

from .backend import Backend
from .excerpts import COMMON_TOKENS, ExcerptFinder
from .polarity import TRIED, Read, read_polarity
from .sections import blocks

LOWEST_SCORE = -1.5  # of the discriminant, from which an entry is not near at all
# Log odds that a sentence gives what it speaks of, by what it is read as: for each unit of meaning, and of
# the remedy's words. Fitted on 86 written consultations, with `listening`'s weights, for the cause to lead.
ODDS: Mapping[str, tuple[float, float]] = {
    "so": (0.40, 0.47),
    "helped": (0.14, 0.0),
    "not": (-0.35, 0.0),
    "done": (0.08, -0.51),
    "failed": (-0.69, 0.0),
}
MIN_TRIED = 0.5  # probability that something was tried, from which it rules anything out
MIN_LIKELY = 0.003  # of the probability, from which an entry may be what was tried
MIN_RULED = 0.8  # nearness of the entry that is ruled out
MIN_REMEDY = (
    0.5  # of the sentence's terms, that the remedy holds where the sentence only says that it is done
)


class Statement(NamedTuple):
    """One sentence of the user's. `bears`: log odds for or against entries; `against`: what it rules out."""

    text: str
    read: Read
    bears: Mapping[str, float] = {}
    against: tuple[str, ...] = ()


class Nearness(NamedTuple):
    """How near a sentence is to one entry by meaning, and the share of its terms that the remedy holds."""

    meaning: float
    remedy: float


class Bearings:
    """Reads sentences against the entries of a knowledge base."""

    def __init__(self, assistant: Backend, finder: ExcerptFinder) -> None:
        self.assistant = assistant
        self.finder = finder
        self._known: dict[str, set[str]] = {}

    def state(self, text: str, likely: Mapping[str, float], read: Read | None = None) -> Statement:
        """What a sentence says of the entries in `likely` (id: how likely it was before)."""
        read = read or read_polarity(text)
        shares = read.shares or {read.polarity: 1.0}
        of_meaning, of_remedy = (
            sum(shares.get(name, 0.0) * odds[at] for name, odds in ODDS.items()) for at in (0, 1)
        )
        near = self.near(text, likely)
        least = MIN_LIKELY * sum(likely.values())
        bears = {id: of_meaning * each.meaning + of_remedy * each.remedy for id, each in near.items()}
        tried = {id: each for id, each in near.items() if likely[id] >= least}
        return Statement(text, read, bears, _ruled_out(tried, shares))

    def terms(self, text: str) -> list[str]:
        """What a sentence speaks of: its words but the common ones, with the English ones of Chinese."""
        return [term for term in dict.fromkeys(all_tokens(text)) if term not in COMMON_TOKENS]

    def near(self, text: str, ids: Iterable[str]) -> dict[str, Nearness]:
        """How near a sentence is to these entries."""
        vectors = self.assistant.matcher.open_vectors()
        scores = vectors.near([text])[0].scores if vectors else {}
        terms = {term: self.finder.idf(term) for term in self.terms(text)}
        total = sum(terms.values()) or 1.0
        return {
            id: Nearness(
                max(0.0, scores.get(id, LOWEST_SCORE) - LOWEST_SCORE),
                sum(weight for term, weight in terms.items() if term in self._remedy(id)) / total,
            )
            for id in ids
        }

    def _remedy(self, id: str) -> set[str]:
        """The words of an entry's first remedy, in both languages."""
        if id not in self._known:
            fix = self.assistant.store.pitfall(id).fix
            self._known[id] = {word for lang in LANGS for word in all_tokens(blocks(fix[lang])[0])}
        return self._known[id]


def _ruled_out(near: Mapping[str, Nearness], shares: Mapping[str, float]) -> tuple[str, ...]:
    """The entry whose remedy was tried: the nearest one, if it is near enough."""
    nearest = max(near, key=lambda id: sum(near[id]), default=None)
    if nearest is None or sum(shares.get(name, 0.0) for name in TRIED) < MIN_TRIED:
        return ()
    failed = shares.get("failed", 0.0) >= shares.get("done", 0.0)
    rules = sum(near[nearest]) >= MIN_RULED and (failed or near[nearest].remedy >= MIN_REMEDY)
    return (nearest,) if rules else ()
