"""How what a user says bears on entries: how near a sentence is to them, and so what speaks for or against.

Nearness is meaning (the shipped vectors of titles, questions, causes and checks, and the discriminant on
them) and words (the share of the sentence's rare terms that the entry's title or first remedy holds, in both
languages).
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from torchwhy.knowledge.entry import Pitfall
from torchwhy.retrieval.tokens import all_tokens
from torchwhy.text.language import LANGS

from .backend import Backend
from .excerpts import COMMON_TOKENS, ExcerptFinder
from .polarity import TRIED, Read, read_polarity
from .sections import blocks

MIN_TELLING_RARITY = 3.9  # IDF weight of a word that at most eight entries use
LEAST_SCORE = -1.5  # of the discriminant, whatever is further away
NEAREST = 8  # entries that a sentence speaks of by meaning, whatever was likely
SHARPNESS = 4.0  # of the shares in which entries are what a sentence speaks of
PRIOR_POWER = 0.15  # of what was likely before the sentence, in those shares
AGAINST, FOR = 5.0, 3.0  # log odds that one sentence takes from, or gives to, what it speaks of
MIN_TRIED = 0.5  # probability that something was tried, from which it rules anything out
# log odds against an entry from which a remedy that was tried rules it out
MIN_RULED, MIN_RULED_NEAREST = 1.2, 0.6
MIN_PRIOR = 1e-3
# A title that says something is missing: what was done is then its remedy, and what "is not" its case.
LACKS = re.compile(r"\b(?:no|not|never|without|missing|lacks?|forgot\w*|instead|un\w+ed)\b", re.IGNORECASE)

SET = re.compile(
    r"(?P<name>[A-Za-z_][\w.]*)\s*(?:=|is|was|to|is set to|设为|设成|是|改成)\s*"
    r"(?P<value>True|False|None|on|off|\d+)",
    re.IGNORECASE,
)
OFF = frozenset(["false", "none", "off", "0"])


class Statement(NamedTuple):
    """One sentence of the user's. `bears`: log odds for or against entries; `against`: what it rules out."""

    text: str
    read: Read
    bears: Mapping[str, float] = {}
    against: tuple[str, ...] = ()


class Nearness(NamedTuple):
    """How near a sentence is to one entry; the share of its terms that the title and the remedy hold."""

    score: float
    title: float
    remedy: float


class Bearings:
    """Reads sentences against the entries of a knowledge base."""

    def __init__(self, assistant: Backend, finder: ExcerptFinder) -> None:
        self.assistant = assistant
        self.finder = finder
        self._known: dict[str, tuple[set[str], set[str]]] = {}

    def state(self, text: str, likely: Mapping[str, float], read: Read | None = None) -> Statement:
        """What a sentence says of the entries in `likely` (id: how likely it was before)."""
        read = read or read_polarity(text)
        near = self.near(text, likely)
        shares = _shares(near, likely)
        bears = {id: self._odds(id, text, read, near[id], shares[id]) for id in near}
        tried = sum((read.shares or {read.polarity: 1.0}).get(name, 0.0) for name in TRIED)
        nearest = max(shares, key=lambda id: shares[id], default="")
        ruled = tuple(
            id
            for id in near
            if tried >= MIN_TRIED and bears[id] <= -(MIN_RULED_NEAREST if id == nearest else MIN_RULED)
        )
        return Statement(text, read, bears, ruled)

    def terms(self, text: str) -> list[str]:
        """What a sentence speaks of: its words but the common ones, with the English ones of Chinese."""
        return [term for term in dict.fromkeys(all_tokens(text)) if term not in COMMON_TOKENS]

    def near(self, text: str, ids: Iterable[str]) -> dict[str, Nearness]:
        """How near a sentence is to these entries, and to those that it is nearest to by meaning."""
        vectors = self.assistant.matcher.open_vectors()
        found = vectors.near([text])[0] if vectors else None
        nearest = heapq.nlargest(NEAREST, found.scores, key=found.scores.__getitem__) if found else []
        terms = {term: self.finder.idf(term) for term in self.terms(text)}
        total = sum(terms.values()) or 1.0
        rarest = max(terms, key=lambda term: terms[term], default="")
        tells = terms.get(rarest, 0.0) >= MIN_TELLING_RARITY
        result = {}
        for id in dict.fromkeys([*ids, *nearest]):
            title, remedy = (
                sum(weight for term, weight in terms.items() if term in words) / total
                for words in self._words(id)
            )
            meaning = 0.0
            if found:
                cosine = max(found.cosines.get(id, (0.0,)))
                meaning = cosine + max(LEAST_SCORE, found.scores.get(id, LEAST_SCORE))
            named = float(tells and rarest in self._words(id)[1])  # "NCCL_P2P_DISABLE" is of one remedy alone
            result[id] = Nearness(meaning + max(title, remedy) + named, title, remedy)
        return result

    def _words(self, id: str) -> tuple[set[str], set[str]]:
        """The words of an entry's title and of its first remedy, in both languages."""
        if id not in self._known:
            entry = self.assistant.store.pitfall(id)
            remedies = (blocks(entry.fix[lang])[0] for lang in LANGS)
            self._known[id] = (
                {word for lang in LANGS for word in all_tokens(entry.title[lang])},
                {word for text in remedies for word in all_tokens(text)},
            )
        return self._known[id]

    def _odds(self, id: str, text: str, read: Read, near: Nearness, share: float) -> float:
        """The log odds that a sentence gives an entry which it speaks of by this share."""
        entry = self.assistant.store.pitfall(id)
        of_remedy = LACKS.search(entry.title.en) is not None or (
            near.remedy >= near.title and not contradicts(text, entry)
        )
        odds = {
            "failed": -AGAINST,
            "done": -AGAINST if of_remedy else FOR,
            "not": FOR if of_remedy else -AGAINST,
            "so": FOR,
            "helped": FOR,
        }
        shares = read.shares or {read.polarity: 1.0}
        return share * sum(odds.get(name, 0.0) * chance for name, chance in shares.items())


def contradicts(text: str, entry: Pitfall) -> bool:
    """Whether the sentence sets on what the entry's first remedy sets off, or the other way round."""
    said, wanted = settings(text), settings(blocks(entry.fix.en)[0])
    return any(wanted.get(name, on) != on for name, on in said.items())


def settings(text: str) -> dict[str, bool]:
    """The names that a text sets, and whether on (True, a number) or off (False, 0, None)."""
    result: dict[str, bool] = {}
    for found in SET.finditer(text):
        result.setdefault(found["name"].rsplit(".", 1)[-1].lower(), found["value"].lower() not in OFF)
    return result


def _shares(near: Mapping[str, Nearness], likely: Mapping[str, float]) -> dict[str, float]:
    """By what share each entry is what the sentence speaks of."""
    scores = {
        id: SHARPNESS * each.score + PRIOR_POWER * math.log(likely.get(id, 0.0) + MIN_PRIOR)
        for id, each in near.items()
    }
    highest = max(scores.values(), default=0.0)
    raised = {id: math.exp(score - highest) for id, score in scores.items()}
    total = sum(raised.values()) or 1.0
    return {id: each / total for id, each in raised.items()}
