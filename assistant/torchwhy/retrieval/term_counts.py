"""How often each term stands in each text, as arrays: what word search and naive Bayes are compiled from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def counted(texts: Sequence[Sequence[str]]) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """(distinct terms, sorted; then of each term in each text: the text's number, the term's number, how
    often).

    The three arrays are int64 and lie by text, then by term.
    """
    import numpy as np

    first: dict[str, int] = {}
    flat = np.array([first.setdefault(term, len(first)) for text in texts for term in text], "int64")
    terms = sorted(first)
    rank = np.empty(len(terms), "int64")
    rank[[first[term] for term in terms]] = np.arange(len(terms))
    text = np.repeat(np.arange(len(texts)), [len(each) for each in texts])
    pairs, counts = np.unique(text * max(1, len(terms)) + rank[flat], return_counts=True)
    numbers, ranks = np.divmod(pairs, max(1, len(terms)))
    return terms, numbers, ranks, counts
