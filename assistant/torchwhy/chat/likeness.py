"""How alike two short texts are: by what they mean, or by the words that both have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchwhy.retrieval.matcher import Matcher
from torchwhy.text.language import HAN, Bilingual

if TYPE_CHECKING:
    import numpy as np

WORD = re.compile(r"[a-z_]\w*|\d+(?:\.\d+)?")
HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")


class Likeness:
    """Compares texts. The vector of each is made once."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._made: dict[str, np.ndarray] = {}

    def of(self, text: str, other: Bilingual) -> float:
        """The cosine with an English text, of a Chinese sentence the mean with both, since the encoder reads
        English; or the share of words that both have, if that is larger.
        """
        shared = max(_shared(text, other.en), _shared(text, other.zh))
        langs = ("en", "zh") if HAN.search(text) else ("en",)
        cosines = self.cosines(text, [other[lang] for lang in langs])
        return max(shared, sum(cosines) / len(langs)) if cosines else shared

    def cosines(self, text: str, others: Sequence[str]) -> list[float]:
        """The cosine with each of the others; [] where there are no vectors."""
        vectors = self._matcher.open_vectors()
        if vectors is None:
            return []
        new = list(dict.fromkeys(each for each in (text, *others) if each not in self._made))
        if new:
            made = vectors.encode(new)[:, : vectors.encoder.dimension]
            self._made.update(zip(new, made, strict=True))
        return [float(self._made[text] @ self._made[each]) for each in others]


def _shared(text: str, other: str) -> float:
    """The share of the words of two texts that both have; numbers and pairs of Han characters are words."""
    one, two = (set(WORD.findall(each.lower())) | _pairs(each) for each in (text, other))
    return 2 * len(one & two) / (len(one) + len(two)) if one or two else 0.0


def _pairs(text: str) -> set[str]:
    return {run[at : at + 2] for run in HAN_RUN.findall(text) for at in range(max(1, len(run) - 1))}
