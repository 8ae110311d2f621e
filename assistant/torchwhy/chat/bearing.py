"""How what a user says bears on entries: how near a sentence is to each, and whether it speaks against it.

Near is told by meaning (the discriminant and the nearest passages). That a sentence speaks against an entry
is fitted (`lab.fit_bearing`): by how it is read, how near it is, and which of the entry's texts hold its rare
terms, those of the remedy, or those of the mistake.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from torchwhy.knowledge.entry import Pitfall
from torchwhy.retrieval.matcher import Matcher
from torchwhy.retrieval.store import Store
from torchwhy.retrieval.tokens import all_tokens
from torchwhy.retrieval.vectors import FIELDS
from torchwhy.text.language import Bilingual

from .excerpts import COMMON_TOKENS, ExcerptFinder
from .polarity import TRIED, Read, read_polarity
from .sections import blocks

WEIGHTS = Path(__file__).with_name("bearing.json")
LOWEST_SCORE, LEAST_SCORE = (
    -9.0,
    -4.0,
)  # of the discriminant: where it has none, and where it tells nothing more
NEAR_SCORE = -1.5  # from which an entry is near at all
# Log odds that a sentence gives what it is near to, for each unit of the discriminant above that, by how it
# is read; a conditional logit of 86 consultations and 330 questions, together with `listening`'s powers.
ODDS: Mapping[str, float] = {"so": 1.3, "helped": 2.6, "failed": -1.65}
AGAINST_POWER = 0.6  # of the probability that a sentence does not speak against an entry
MIN_AGAINST = 0.8  # that probability's rest, from which an entry is ruled out
SHARES = ("done", "failed", "helped", "not", "so")
MIN_SHARE = 0.01


class Statement(NamedTuple):
    """One sentence of the user's. `bears`: log odds for or against entries; `against`: what it rules out."""

    text: str
    read: Read
    bears: Mapping[str, float] = {}
    against: tuple[str, ...] = ()


class Nearness(NamedTuple):
    """How near a sentence is to one entry: by meaning, and by the share of its terms in the entry's texts."""

    meaning: tuple[float, ...]
    terms: tuple[float, ...]


class Bearings:
    """Reads sentences against the entries of a knowledge base."""

    def __init__(self, store: Store, matcher: Matcher, finder: ExcerptFinder) -> None:
        self.store, self.matcher = store, matcher
        self.finder = finder
        self._known: dict[str, tuple[set[str], ...]] = {}

    def state(self, text: str, ids: Iterable[str], read: Read | None = None) -> Statement:
        """What a sentence says of these entries."""
        read = read or read_polarity(text)
        near, shares = self.near(text, ids), shares_of(read)
        slope = sum(shares.get(name, 0.0) * odds for name, odds in ODDS.items())
        against = {id: _sigmoid(dot(_weights(), opposing(read, each))) for id, each in near.items()}
        bears = {
            id: slope * max(0.0, near[id].meaning[0] - NEAR_SCORE) + AGAINST_POWER * math.log1p(-each)
            for id, each in against.items()
        }
        return Statement(text, read, bears, tuple(id for id, each in against.items() if each >= MIN_AGAINST))

    def terms(self, text: str) -> list[str]:
        """What a sentence speaks of: its words but the common ones, with the English ones of Chinese."""
        return [term for term in dict.fromkeys(all_tokens(text)) if term not in COMMON_TOKENS]

    def near(self, text: str, ids: Iterable[str]) -> dict[str, Nearness]:
        """How near a sentence is to each of these entries, among them."""
        vectors = self.matcher.open_vectors()
        found = vectors.near([text])[0] if vectors else None
        scores = {id: found.scores.get(id, LOWEST_SCORE) if found else LOWEST_SCORE for id in ids}
        best = max(scores.values(), default=0.0)
        terms = {term: self.finder.idf(term) for term in self.terms(text)}
        total = sum(terms.values()) or 1.0
        result = {}
        for id, score in scores.items():
            cosines = found.cosines.get(id) if found else None
            near = [cosines[FIELDS.index(field)] if cosines else 0.0 for field in ("ask", "title")]
            shares = (
                sum(weight for term, weight in terms.items() if term in words) / total
                for words in self._words(id)
            )
            score = max(LEAST_SCORE, score)
            result[id] = Nearness((score, score - best, *near), tuple(shares))
        return result

    def _words(self, id: str) -> tuple[set[str], ...]:
        """The words of an entry's first remedy, of all remedies, of its check, and of its title and cause."""
        if id not in self._known:
            entry = self.store.pitfall(id)
            self._known[id] = tuple(set(all_tokens(text)) for text in texts_of(entry))
        return self._known[id]


def texts_of(entry: Pitfall) -> list[str]:
    """The texts, in both languages, whose words tell what a sentence speaks of."""
    fields = (
        Bilingual(blocks(entry.fix.en)[0], blocks(entry.fix.zh)[0]),
        entry.fix,
        entry.check,
        Bilingual(f"{entry.title.en} {entry.cause.en}", f"{entry.title.zh} {entry.cause.zh}"),
    )
    return [f"{each.en}\n{each.zh}" for each in fields]


def opposing(read: Read, near: Nearness) -> tuple[float, ...]:
    """What tells whether a sentence speaks against an entry."""
    shares = shares_of(read)
    logs = (math.log(shares.get(name, 0.0) + MIN_SHARE) for name in SHARES)
    tried = sum(shares.get(name, 0.0) for name in TRIED)
    parts = (
        share * each
        for share in (1.0, tried, shares.get("not", 0.0))
        for each in (*near.meaning, *near.terms)
    )
    return (1.0, *logs, *parts)


def shares_of(read: Read) -> Mapping[str, float]:
    """How probable each way to read a sentence is."""
    return read.shares or {read.polarity: 1.0}


def dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def _sigmoid(score: float) -> float:
    return 1 / (1 + math.exp(-score))


@cache
def _weights() -> Sequence[float]:
    read: Sequence[float] = json.loads(WEIGHTS.read_text("utf-8"))
    return read
