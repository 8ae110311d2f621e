"""One ranking from all evidence, with a probability, and abstention.

score(entry) = w . features(entry); score(none) = v . features(none); probabilities are the softmax of both at a fitted
temperature. The weights are in `ranking.json`, made by `python -m assistant.fit` from labelled texts. Ties are broken
by the entry's id, so the same question on the same knowledge gives the same answer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import bayes, features, lexical
from .features import Evidence
from .paste import Paste, parse
from .signatures import Claim, Signatures
from .store import Store

if TYPE_CHECKING:
    from .vectors import Near, Vectors

RANKING = Path(__file__).with_name("ranking.json")
LEAD = 3.0  # logits by which the entry that a signature settles stands at least above the others
ALONE = 1.5  # and above "none of these": an exact message may be all there is, in words that the entry does not use
KEPT = 20  # candidates that an answer carries


@dataclass(frozen=True, slots=True)
class Scored:
    """One candidate: its probability, its claim on the text if it has one, its cosine and its share of the words."""

    id: str
    probability: float
    score: float
    claim: Claim | None
    cosine: float
    lexical: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates, best first; `none`: the probability that nothing known fits; `answered`: whether the first stands."""

    candidates: tuple[Scored, ...]
    none: float
    answered: bool
    settled: bool
    vectors: bool


class Ranking:
    """The fitted weights."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.full = data["full"]
        self.quick = data["quick"]
        self.threshold: float = data["full"]["threshold"]
        self.quick_threshold: float = data["quick"]["threshold"]
        self.fitted_on: Mapping[str, str] = data.get("fitted_on", {})

    @classmethod
    def load(cls, path: Path = RANKING) -> Ranking:
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def probabilities(self, evidence: Evidence, vectors: bool) -> tuple[list[tuple[float, float, str]], float]:
        """([(probability, score, entry)] best first, probability of none)."""
        part = self.full if vectors else self.quick
        weights, none_weights, temperature = part["weights"], part["none"], part["temperature"]
        scores = {entry: sum(w * x for w, x in zip(weights, row, strict=True)) for entry, row in evidence.rows.items()}
        if evidence.settled:  # first by rule, with vectors and without
            others = max((score for entry, score in scores.items() if entry != evidence.settled), default=0.0)
            scores[evidence.settled] = max(scores[evidence.settled], others + LEAD * temperature)
        none = sum(w * x for w, x in zip(none_weights, evidence.none, strict=True))
        if evidence.settled:
            none = min(none, scores[evidence.settled] - ALONE * temperature)
        top = max([none, *scores.values()])
        exps = {entry: math.exp((score - top) / temperature) for entry, score in scores.items()}
        none_exp = math.exp((none - top) / temperature)
        total = none_exp + sum(exps.values())
        order = sorted(scores, key=lambda entry: (-round(scores[entry], 6), entry))
        return [(exps[entry] / total, scores[entry], entry) for entry in order], none_exp / total


class Matcher:
    """Finds the pitfall of a text. Vectors are opened by `open_vectors` only when a question needs them."""

    def __init__(self, store: Store, open_vectors: Callable[[], Vectors | None], ranking: Ranking | None = None) -> None:
        self.store = store
        self.signatures = Signatures(store)
        self.ranking = ranking or Ranking.load()
        self.open_vectors = open_vectors
        self.kinds: dict[str, str] = dict(store.db.execute("SELECT id, kind FROM entry"))

    def evidence(self, paste: Paste, near: Sequence[Near] = ()) -> Evidence:
        """The evidence on a text; `near`: of each of its `views`, where vectors are at hand."""
        return features.collect(*self._words(paste), *near[:2])

    def _words(self, paste: Paste) -> tuple[Any, ...]:
        """What `features.collect` takes of a text without vectors; kept while a batch waits for its vectors."""
        whole, lines = lexical.search(self.store, question_of(paste))
        return paste, self.signatures.claims(paste.text), whole, lines, self.kinds, bayes.scores(self.store.db, question_of(paste))

    def rank(self, paste: Paste) -> Ranked:
        return self.rank_many([paste])[0]

    def rank_many(self, pastes: Sequence[Paste], *, early: bool = True) -> list[Ranked]:
        """Rank several texts; those that no signature settles share one batch of vectors.

        `early=False` takes the full ranking for all of them.
        """
        words = [self._words(paste) for paste in pastes]
        quick = [self._ranked(features.collect(*each), False, {}) for each in words]
        settled = [ranked.settled and ranked.answered for ranked in quick]  # what a signature settles stands, with vectors or without
        open_ = [at for at, done in enumerate(settled) if not (early and done)]
        vectors = self.open_vectors() if open_ else None
        result = quick
        if vectors is not None:
            texts = [(at, text) for at in open_ for text in views(pastes[at])]
            found = vectors.near([text for _, text in texts])
            of: dict[int, list[Near]] = {}
            for (owner, _), near in zip(texts, found, strict=True):
                of.setdefault(owner, []).append(near)
            for at, mine in of.items():
                ranked = self._ranked(features.collect(*words[at], *mine[:2]), True, mine[0].cosines)
                result[at] = replace(ranked, answered=ranked.answered or settled[at])
        return result

    def _ranked(self, evidence: Evidence, vectors: bool, near: Mapping[str, Sequence[float]]) -> Ranked:
        rows, none = self.ranking.probabilities(evidence, vectors)
        at_lexical = features.NAMES.index("lexical_whole")
        candidates = tuple(
            Scored(entry, round(p, 4), round(score, 4), evidence.claims.get(entry), max(near.get(entry, (0.0,))), evidence.rows[entry][at_lexical])
            for p, score, entry in rows[:KEPT]
        )
        best = candidates[0].probability if candidates else 0.0
        threshold = self.ranking.threshold if vectors else self.ranking.quick_threshold
        return Ranked(candidates, round(none, 4), best >= threshold and best > none, evidence.settled is not None and not vectors, vectors)


def question_of(paste: Paste) -> str:
    """What words are searched for: the distilled error with the user's words, or the whole question."""
    return paste.distilled


def views(paste: Paste) -> list[str]:
    """What is embedded: the leading error alone (or the question), and the user's words where both are there."""
    root = paste.root
    if root is None:
        return [paste.distilled]
    lead = f"{root.name}: {root.message}" if root.exception else root.message
    return [lead[:1000], paste.words] if paste.words else [lead[:1000]]


def parse_text(text: str) -> Paste:
    return parse(text)
