"""How a question in words sounds: as one in which nothing is wrong (a how-to, a question about a concept, a
healthy report, another library), or as a symptom. A logistic regression over words with their neighbours,
function words too, and another over its vector; their weights are a part of `ranking.json`, and what each
says is a feature of "none". So is what a question names in torch's place: it may tell an entry's symptom, and
has not its cause.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from operator import mul
from pathlib import Path
from typing import Any

from torchwhy.text.lazy_re import lazy_compile

MAX_READ_CHARS = 3000
MAX_LOGIT, SCALE = 6.0, 3.0
_NUMBER = lazy_compile(r"\d[\d.,:]*")
# Without the signs that end sentences: whether a question has its mark is a habit, and no sense.
_WORD = lazy_compile(r"[a-z][a-z']*|[\u3400-\u9fff]|\d+|[][(){}<>|=:/%#@$_*+-]")

# Names that, unlike those of what is used beside torch, leave it no part in a question.
OTHER_SOFTWARE = Path(__file__).with_name("other_software.txt")


@cache
def _other_software() -> re.Pattern[str]:
    names = "|".join(map(re.escape, OTHER_SOFTWARE.read_text("utf-8").split()))
    return re.compile(f"(?<![a-z0-9])(?:{names})(?![a-z0-9])")


def others(text: str) -> frozenset[str]:
    """The software in torch's place that a text names; none where it names torch too."""
    text = text[:MAX_READ_CHARS].lower()
    return frozenset(() if "torch" in text else _other_software().findall(text))


def terms(text: str) -> set[str]:
    """Words and signs of a text, each with its neighbour; of Chinese characters two and three together."""
    text = _NUMBER.sub("0", text[:MAX_READ_CHARS].lower().replace("’", "'"))
    words = ["^", *_WORD.findall(text)]
    alone = {word for word in words if word.isascii()}
    threes = zip(words, words[1:], words[2:], strict=False)
    chinese = {" ".join(three) for three in threes if not "".join(three).isascii()}
    return alone | chinese | set(map(" ".join, pairwise(words)))


def innocence(found: Iterable[str], tone: Mapping[str, Any]) -> float:
    """What the terms of a text say by these weights: from -2 (something is wrong) to 2 (nothing is)."""
    known = [tone["terms"][term] for term in sorted(found) if term in tone["terms"]] if tone else []
    return bounded(tone["bias"] + sum(known) / math.sqrt(len(known))) if known else 0.0


def calmness(vector: Sequence[float], tone: Mapping[str, Any]) -> float:
    """The same of a text's vector; 0 by weights that were fitted on another encoder's."""
    weights = tone.get("vector", ())
    if not weights or len(weights) != len(vector):
        return 0.0
    return bounded(tone["vector_bias"] + sum(map(mul, weights, vector)))


def bounded(logit: float) -> float:
    """A logit as a feature."""
    return max(-MAX_LOGIT, min(MAX_LOGIT, logit)) / SCALE
