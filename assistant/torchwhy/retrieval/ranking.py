"""The fitted ranking: scores of all candidates and of "none of these" as calibrated probabilities.

score(entry) = w . features(entry); score(none) = v . features(none); probabilities are the softmax of both at
a fitted temperature. The weights are in `ranking.json`, made by `python -m torchwhy.lab.fit` from labelled
texts. Ties are broken by the entry's id, so the same question on the same knowledge gives the same answer.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cached_property
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from .features import NAMES, NONE_NAMES, FeatureTable

RANKING = Path(__file__).with_name("ranking.json")
SETTLED_LEAD_LOGITS = 3.0  # minimum margin of the entry that signatures settle over every other entry
SETTLED_OVER_NONE_LOGITS = (
    1.5  # its minimum margin over "none": an exact message may stand alone in strange words
)


class RankingWeights(NamedTuple):
    """One fitted model. An answer stands from a probability of `threshold` on. `words`: by language the model
    of questions in words, which weighs the features otherwise: the encoder reads Chinese less well.
    """

    entry: tuple[float, ...]
    none: tuple[float, ...]
    temperature: float
    threshold: float
    words: Mapping[str, RankingWeights] = {}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> RankingWeights:
        """From a part of ranking.json: weights in the order of the features' names."""
        return cls(
            tuple(data["weights"]),
            tuple(data["none"]),
            data["temperature"],
            data["threshold"],
            {lang: cls.read(part) for lang, part in data.get("words", {}).items()},
        )


class Ranking:
    """The fitted weights: `full` with vectors, `quick` without."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.full = RankingWeights.read(data["full"])
        self.quick = RankingWeights.read(data["quick"])
        self.fitted_on: Mapping[str, Any] = data.get("fitted_on", {})

    @cached_property
    def tone(self) -> Mapping[str, Any]:
        """The weights of `tone.py`, {} without any. Their thousands of terms are written in one text, which a
        question that signatures settle need not take apart.
        """
        tone = self.data.get("tone")
        if not tone:
            return {}
        pairs = (line.rsplit(" ", 1) for line in tone["terms"].split("\n"))
        own = tuple(map(float, tone.get("vector", "").split()))
        return {**tone, "terms": {term: float(weight) for term, weight in pairs}, "vector": own}

    @classmethod
    def load(cls, path: Path = RANKING) -> Ranking:
        """Read ranking.json. Raises ValueError where it names other features than this release computes."""
        data = json.loads(path.read_text(encoding="utf-8"))
        if (tuple(data["features"]), tuple(data["none_features"])) != (NAMES, NONE_NAMES):
            raise ValueError(f"{path} was fitted on other features; fit it anew: python -m torchwhy.lab.fit")
        return cls(data)

    def of(self, features: FeatureTable, vectors: bool) -> RankingWeights:
        """The weights that a text is judged by."""
        part = self.full if vectors else self.quick
        return part.words.get(features.lang, part)

    def probabilities(
        self, features: FeatureTable, vectors: bool
    ) -> tuple[list[tuple[float, float, str]], float]:
        """([(probability, score, entry)] best first, probability of none)."""
        weights = self.of(features, vectors)
        temperature = weights.temperature
        scores = {entry: _dot(weights.entry, row) for entry, row in features.rows.items()}
        none = _dot(weights.none, features.none)
        settled = features.settled
        if settled:  # first by rule, with vectors and without
            others = max((score for entry, score in scores.items() if entry != settled), default=0.0)
            scores[settled] = max(scores[settled], others + SETTLED_LEAD_LOGITS * temperature)
            none = min(none, scores[settled] - SETTLED_OVER_NONE_LOGITS * temperature)
        top = max([none, *scores.values()])
        exps = {entry: math.exp((score - top) / temperature) for entry, score in scores.items()}
        none_exp = math.exp((none - top) / temperature)
        total = none_exp + sum(exps.values())
        order = sorted(scores, key=lambda entry: (-round(scores[entry], 6), entry))
        return [(exps[entry] / total, scores[entry], entry) for entry in order], none_exp / total


def _dot(weights: tuple[float, ...], row: tuple[float, ...]) -> float:
    if len(weights) != len(row):
        raise ValueError(f"{len(row)} features, {len(weights)} weights")
    result: float = sum(map(mul, weights, row))
    return result
