"""Naive Bayes over the words of the passages and of questions that people asked: how likely an entry's are to
hold the words of a question.

bm25 rewards rare words that stand anywhere in an entry; this weighs a word by how much it is *this* entry's.
Trained when knowledge is compiled, by numpy; a question is one indexed query in pure Python, which needs
neither numpy nor a model.
"""

from __future__ import annotations

import math
import sqlite3
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from .term_counts import counted
from .tokens import all_tokens

if TYPE_CHECKING:
    from torchwhy.knowledge.questions import AskedQuestion

ALPHA = 0.2  # what a word that an entry never uses counts for
MOST_TERMS = 200
OWN_WEIGHT = 2  # passages that a question counts for with the entry that it is about; with others one


def train(
    passages: Iterable[tuple[str, str]], questions: Iterable[AskedQuestion] = ()
) -> dict[str, list[tuple[object, ...]]]:
    """Train on (entry, text) pairs, a passage counting once, however long it is, and on questions: rows of
    the tables `term`, `posting` and `total`.

    A posting holds the numbers of its entries, sorted by id, and of each log(1 + count / ALPHA); a total is
    log(all counts + ALPHA * vocabulary). The arithmetic is that of `weighted`, for all passages at once:
    12,000 take 0.1 s, one by one 0.5 s.
    """
    import numpy as np

    pairs = list(passages)
    for (first, *others), text in questions:
        pairs += [*[(first, text)] * OWN_WEIGHT, *((entry, text) for entry in others)]
    entries = sorted({entry for entry, _ in pairs})
    number_of = {entry: number for number, entry in enumerate(entries)}
    owner = np.array([number_of[entry] for entry, _ in pairs], "int64")
    terms, row, term, count = counted([all_tokens(text) for _, text in pairs])
    spread = np.bincount(term, minlength=len(terms))
    idf = np.maximum(0.0, np.log(max(1, len(pairs)) / (1 + spread)))
    known = spread[term] >= 2
    row, term, count = row[known], term[known], count[known]
    value = (1 + np.log(count)) * idf[term]
    length = np.sqrt(np.bincount(row, value * value, minlength=len(pairs)))
    value /= np.where(length == 0, 1, length)[row]
    cell, where = np.unique(term * len(entries) + owner[row], return_inverse=True)
    weights = np.log1p(np.bincount(where, value) / ALPHA).round(5)
    total = np.bincount(owner[row], value, minlength=len(entries))
    vocabulary = np.flatnonzero(spread >= 2)
    numbers = (cell % max(1, len(entries))).astype("uint32")
    starts = np.searchsorted(cell, [*(vocabulary * len(entries)), len(terms) * len(entries)]).tolist()
    return {
        "term": [(terms[number], float(idf[number])) for number in vocabulary.tolist()],
        "posting": [
            (terms[number], numbers[start:end].tobytes(), weights[start:end].tobytes())
            for number, start, end in zip(vocabulary.tolist(), starts, starts[1:], strict=False)
        ],
        "total": [
            (entry, round(math.log(mass + ALPHA * len(vocabulary)), 5))
            for entry, mass in zip(entries, total.tolist(), strict=True)
            if len(vocabulary)
        ],
    }


def weighted(counts: Mapping[str, int], idf: Mapping[str, float]) -> dict[str, float]:
    """Term weights of one text (damped count times rarity), of length one."""
    values = {term: (1 + math.log(count)) * idf[term] for term, count in counts.items() if term in idf}
    length = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {term: value / length for term, value in values.items()}


class NaiveBayes:
    """The trained weights in compiled knowledge."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @cached_property
    def _sizes(self) -> dict[str, float]:
        """The entries' totals, in the order of the ids, which postings number."""
        return dict(self._db.execute("SELECT entry, size FROM total ORDER BY entry"))

    def scores(self, text: str) -> Mapping[str, float]:
        """Every entry's score for a text, relative to the best one (0 or less), in the order of the ids; {}
        where no word is known.
        """
        counts = Counter(all_tokens(text))
        terms = list(counts)[:MOST_TERMS]
        marks = ",".join("?" * len(terms))
        idf = dict(self._db.execute(f"SELECT term, idf FROM term WHERE term IN ({marks})", terms))
        query = weighted({term: counts[term] for term in terms}, idf)
        if not query:
            return {}
        rows = self._db.execute(
            f"SELECT term, entries, weights FROM posting WHERE term IN ({marks})",
            list(query) + [""] * (len(terms) - len(query)),
        )
        postings = [(query[term], numbers, weights) for term, numbers, weights in rows]
        mass, sizes = sum(query.values()), self._sizes
        # numpy is not imported for a question that a signature settles
        sum_up = _summed_by_numpy if "numpy" in sys.modules else _summed
        return dict(zip(sizes, sum_up(mass, sizes.values(), postings), strict=True))


Posting = tuple[float, bytes, bytes]  # a term's share of the text, numbers of entries, its weight in each


def _summed(mass: float, sizes: Iterable[float], postings: Sequence[Posting]) -> list[float]:
    """Of each entry the sum of its weights less `mass` times its size, the best one at zero."""
    result = [-mass * size for size in sizes]
    for share, numbers, weights in postings:
        for number, weight in zip(array("I", numbers), array("d", weights), strict=True):
            result[number] += share * weight
    best = max(result)
    return [round(score - best, 4) for score in result]


def _summed_by_numpy(mass: float, sizes: Iterable[float], postings: Sequence[Posting]) -> list[float]:
    """The same: sums of the same numbers in the same order."""
    import numpy as np

    result = -mass * np.fromiter(sizes, "float64")
    for share, numbers, weights in postings:
        # an entry stands once in a term's list
        result[np.frombuffer(numbers, "uint32")] += share * np.frombuffer(weights, "float64")
    found: list[float] = (result - result.max()).round(4).tolist()
    return found
