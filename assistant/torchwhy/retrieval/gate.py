"""Whether something is wrong in a text: three logits of a small classifier, that nothing is (a how-to, a
question about a concept), that another library or program is meant, and that it is a healthy program's log.

It reads the words with their neighbours, function words too, and where the shipped encoder is at hand the
question's vector. The weights are in `gate.json`, made by `python -m torchwhy.lab.gate`. What the logits are
worth against the entries the ranking has learned (`features.py`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.text.lazy_re import lazy_compile

from .claims import Tone

if TYPE_CHECKING:
    import numpy as np

WEIGHTS = Path(__file__).with_name("gate.json")
MAX_READ_CHARS = 3000
_NUMBER = lazy_compile(r"\d[\d.,:]*")
# Without the signs that end sentences: whether a question has its mark is a habit, and no sense.
_WORD = lazy_compile(r"[a-z][a-z']*|[\u3400-\u9fff]|\d+|[][(){}<>|=:/%#@$_*+-]")


def terms(text: str) -> set[str]:
    """Words and signs of a text, each with its neighbour; of Chinese characters two and three together."""
    text = _NUMBER.sub("0", text[:MAX_READ_CHARS].lower().replace("’", "'"))
    words = ["^", *_WORD.findall(text)]
    alone = {word for word in words if word.isascii()}
    threes = zip(words, words[1:], words[2:], strict=False)
    chinese = {" ".join(three) for three in threes if not "".join(three).isascii()}
    return alone | chinese | set(map(" ".join, pairwise(words)))


@cache
def _weights() -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return data


def tone_of_words(text: str) -> Tone:
    """What the words say."""
    weights = _weights()
    known = weights["terms"]
    found = [known[term] for term in sorted(terms(text)) if term in known]
    scale = 1.0 / math.sqrt(len(found) or 1)
    sums = map(sum, zip(*found, strict=True)) if found else (0.0,) * len(Tone._fields)
    return Tone(*(bias + total * scale for bias, total in zip(weights["bias"], sums, strict=True)))


def fits(encoder: str) -> bool:
    """Whether the weights of vectors were made for this encoder."""
    return bool(_weights()["encoder"] == encoder)


def tones_of_vectors(vectors: np.ndarray) -> Sequence[Tone]:
    """What the questions' vectors add."""
    import numpy as np

    weights, shift = (np.array(_weights()[name], "float32") for name in ("vector", "shift"))
    narrow = vectors[:, : weights.shape[1]]
    return [Tone(*(np.einsum("ij,j->i", weights, vector) + shift).tolist()) for vector in narrow]
