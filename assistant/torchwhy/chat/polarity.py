"""Whether a sentence says that something was done, failed, helped, is so, or is not so.

A logistic regression on words and pairs of words; `fit_polarity` makes its weights from examples in both
languages.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from .intents import shaped

Polarity = Literal["done", "failed", "helped", "so", "not", "unknown", "asks"]
WEIGHTS = Path(__file__).with_name("polarity.json")
_BEFORE = re.compile(r"^(?:no|nope|不对|不是|错了)[,，]\s*(?=\S)", re.IGNORECASE)  # a correction
SHARPNESS = 2.0  # of the probabilities: as fitted they are too flat
TRIED = frozenset(["done", "failed"])  # of what speaks against the entry whose remedy it names


class Read(NamedTuple):
    """What a sentence is taken for, how surely, 0..1, and the probability of everything that it may be."""

    polarity: Polarity
    probability: float
    shares: Mapping[str, float] = {}


class Statement(NamedTuple):
    """One sentence of the user's, and how it is read."""

    text: str
    read: Read


def features(sentence: str) -> list[str]:
    """Words (Chinese: characters) and pairs of neighbours, with the ends marked."""
    words = shaped(sentence).split()
    pairs = zip(["^", *words], [*words, "$"], strict=True)
    return list(dict.fromkeys([*words, *map(" ".join, pairs)]))


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    read: Mapping[str, Mapping[str, float]] = json.loads(WEIGHTS.read_text("utf-8"))
    return read


def read_polarity(sentence: str) -> Read:
    """What a sentence is taken for; `so` where nothing speaks for anything else."""
    shown = features(_BEFORE.sub("", sentence))
    length = math.sqrt(len(shown)) or 1.0
    scores: dict[Polarity, float] = {}
    for name, weights in _weights().items():
        scores[name] = weights[""] + sum(weights.get(each, 0.0) for each in shown) / length  # type: ignore[index]
    highest = max(scores.values())
    total = sum(math.exp(SHARPNESS * (score - highest)) for score in scores.values())
    shares: dict[str, float] = {
        name: math.exp(SHARPNESS * (score - highest)) / total for name, score in scores.items()
    }
    best = max(scores, key=lambda name: scores[name])
    return Read(best, shares[best], shares)
