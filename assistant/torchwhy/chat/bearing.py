"""How what a user says bears on entries: which of them a sentence speaks of, and whether for or against each.

Both are fitted (`fit_bearing`). What a sentence speaks of is told by meaning (the discriminant and the
nearest passages) and by the share of its rare terms that the entry's texts hold; that it speaks against an
entry, by how it is read, and by which texts hold its terms: those of the remedy, or those of the mistake.
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
SAYINGS = Path(__file__).with_name("statements.txt")
LOWEST_SCORE = -9.0  # of the discriminant, where it has none
NEAREST = 25  # entries beside those in play that a sentence may speak of
PRIOR_POWER = 0.15  # of how likely an entry was before, in whether a sentence speaks of it
LEAST = 1e-3  # how likely every other entry is taken to have been
UNCERTAIN = 0.03  # probability of being spoken of, from which an entry gains
MOST = 0.9  # what a sentence may take from an entry, of one
# Log odds that a sentence gives what it speaks of, by what it is read as: for each unit of meaning, and of
# the first remedy's words. Fitted on 86 written consultations, with `listening`'s weights.
ODDS: Mapping[str, tuple[float, float]] = {
    "so": (0.40, 0.47),
    "helped": (0.14, 0.0),
    "not": (-0.35, 0.0),
    "done": (0.08, -0.51),
    "failed": (-0.69, 0.0),
}
LEAST_MEANING = -1.5  # of the discriminant, from which an entry is near at all
SPOKEN_WEIGHT = 0.5  # of the log odds by what is spoken of, and whether against it
SHARES = ("done", "failed", "helped", "not", "so")
MIN_SHARE = 0.01


class Statement(NamedTuple):
    """One sentence of the user's. `bears`: log odds for or against entries."""

    text: str
    read: Read
    bears: Mapping[str, float] = {}


class Nearness(NamedTuple):
    """How near a sentence is to one entry: by meaning, and by the share of its terms in the entry's texts."""

    meaning: tuple[float, ...]
    terms: tuple[float, ...]


class Weights(NamedTuple):
    """What is fitted: of both kinds of nearness, for what is spoken of; of shares and terms, for against; of
    likeness, for what `law` takes for a contradiction.
    """

    speaks: Sequence[float]
    against: Sequence[float]
    contradicts: Sequence[float]


class Bearings:
    """Reads sentences against the entries of a knowledge base."""

    def __init__(self, store: Store, matcher: Matcher, finder: ExcerptFinder) -> None:
        self.store, self.matcher = store, matcher
        self.finder = finder
        self._known: dict[str, tuple[set[str], ...]] = {}

    def state(self, text: str, likely: Mapping[str, float], read: Read | None = None) -> Statement:
        """What a sentence says of the entries in `likely` (id: how likely it was before), and of others."""
        read = read or read_polarity(text)
        near, weights = self.near(text, likely), fitted()
        total = sum(likely.values()) or 1.0
        scores = {
            id: dot(weights.speaks, (*each.meaning, *each.terms))
            + PRIOR_POWER * math.log(max(LEAST, likely.get(id, 0.0) / total))
            for id, each in near.items()
        }
        highest = max(scores.values(), default=0.0)
        raised = {id: math.exp(score - highest) for id, score in scores.items()}
        sum_raised = sum(raised.values())
        spoken = {id: each / sum_raised for id, each in raised.items()}
        against = {id: 1 / (1 + math.exp(-dot(weights.against, opposing(read, near[id])))) for id in spoken}
        shares = read.shares or {read.polarity: 1.0}
        of_meaning, of_remedy = (
            sum(shares.get(name, 0.0) * odds[at] for name, odds in ODDS.items()) for at in (0, 1)
        )
        bears = {
            id: of_meaning * max(0.0, near[id].meaning[0] - LEAST_MEANING)
            + of_remedy * near[id].terms[0]
            + SPOKEN_WEIGHT * (1 - against[id]) * math.log1p(spoken[id] / UNCERTAIN)
            + SPOKEN_WEIGHT * against[id] * math.log1p(-MOST * raised[id])
            for id in likely
        }
        return Statement(text, read, bears)

    def terms(self, text: str) -> list[str]:
        """What a sentence speaks of: its words but the common ones, with the English ones of Chinese."""
        return [term for term in dict.fromkeys(all_tokens(text)) if term not in COMMON_TOKENS]

    def near(self, text: str, ids: Iterable[str]) -> dict[str, Nearness]:
        """How near a sentence is to these entries, and to the nearest others."""
        vectors = self.matcher.open_vectors()
        found = vectors.near([text])[0] if vectors else None
        scores = found.scores if found else {}
        others = sorted(scores, key=lambda id: -scores[id])[:NEAREST]
        terms = {term: self.finder.idf(term) for term in self.terms(text)}
        total = sum(terms.values()) or 1.0
        result = {}
        for id in dict.fromkeys((*ids, *others)):
            cosines = found.cosines.get(id) if found else None
            meaning = [cosines[FIELDS.index(field)] if cosines else 0.0 for field in ("ask", "title")]
            shares = (
                sum(weight for term, weight in terms.items() if term in words) / total
                for words in self._words(id)
            )
            result[id] = Nearness((scores.get(id, LOWEST_SCORE), *meaning), tuple(shares))
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
    """What tells whether a sentence that speaks of an entry speaks against it."""
    shares = read.shares or {read.polarity: 1.0}
    logs = [math.log(shares.get(name, 0.0) + MIN_SHARE) for name in SHARES]
    tried = sum(shares.get(name, 0.0) for name in TRIED)
    parts = (share * each for share in (1.0, tried, shares.get("not", 0.0)) for each in near.terms)
    return (1.0, *logs, *parts)


def dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


@cache
def fitted() -> Weights:
    return Weights(**json.loads(WEIGHTS.read_text("utf-8")))


@cache
def sayings() -> Mapping[str, Sequence[tuple[str, str]]]:
    """What users say of entries: by id, (is, done, failed or not; sentence)."""
    result: dict[str, list[tuple[str, str]]] = {}
    for part in SAYINGS.read_text("utf-8").split("\n== ")[1:]:
        id, *lines = part.splitlines()
        result[id] = [(kind, text) for kind, _, text in (line.partition(": ") for line in lines if line)]
    return result
