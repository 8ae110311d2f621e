"""Word search over the compiled knowledge: bm25 over entries and over their single lines (titles and
questions).

What a word is worth in a text does not depend on the question, so it is worked out when knowledge is
compiled, and a question adds up short lists. The formula and its constants are those of SQLite's FTS5, which
this replaced because it took three times as long (4.0 ms a question against 1.3: it works out every match
anew).
"""

from __future__ import annotations

import sqlite3
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from .term_counts import counted
from .tokens import all_tokens

WEIGHTS = (4.0, 3.0, 2.0, 1.0)  # name, asks, messages, body
MOST_TERMS = 64
K1, B = 1.2, 0.75


def terms_of(text: str) -> list[str]:
    """What is searched for: the text's distinct terms, the first MOST_TERMS of them."""
    return list(dict.fromkeys(all_tokens(text)))[:MOST_TERMS]


def weigh(
    texts: Iterable[Sequence[Sequence[str]]], columns: Sequence[float]
) -> Iterator[tuple[str, bytes, bytes]]:
    """(term, numbers of the texts that hold it, what it is worth there) of texts given as columns of
    terms.
    """
    import numpy as np

    columns_of = [list(zip(text, columns, strict=True)) for text in texts]
    lengths = np.array([sum(len(terms) for terms, _ in text) for text in columns_of], "int64")
    # every column of every text is counted by itself; what a term counts for in a text is then the weighted
    # sum
    flat = [(number, terms, weight) for number, text in enumerate(columns_of) for terms, weight in text]
    terms, column, term, count = counted([words for _, words, _ in flat])
    if not terms:
        return
    owner = np.array([number for number, _, _ in flat])[column]
    weight = np.array([worth for _, _, worth in flat])[column]
    pairs, where = np.unique(term * len(columns_of) + owner, return_inverse=True)
    mass = np.bincount(where, count * weight)
    term, number = np.divmod(pairs, len(columns_of))
    spread = np.bincount(term, minlength=len(terms))
    rarity = np.maximum(1e-6, np.log((len(columns_of) - spread + 0.5) / (spread + 0.5)))
    share = lengths[number] / lengths.mean()
    values = (rarity[term] * mass * (K1 + 1) / (mass + K1 * (1 - B + B * share))).astype("float32")
    numbers = number.astype("uint32")
    end = 0
    for name, length in zip(terms, spread.tolist(), strict=True):
        start, end = end, end + length
        yield name, numbers[start:end].tobytes(), values[start:end].tobytes()


class BM25:
    """The word index of compiled knowledge: over whole entries, and over their single lines."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @cached_property
    def _entries(self) -> list[str]:
        """The entries' ids in the order in which they were compiled."""
        return [row[0] for row in self._db.execute("SELECT id FROM entry ORDER BY rowid")]

    @cached_property
    def _line_owners(self) -> array[int]:
        """Of each indexed line, the number of its entry in `_entries`."""
        return array("I", self._db.execute("SELECT entries FROM line").fetchone()[0])

    def search(self, text: str, limit: int = 60) -> tuple[dict[str, float], dict[str, float]]:
        """bm25 scores (higher is better) by entry: of whole entries, and of each entry's best line."""
        terms = terms_of(text)
        if not terms:
            return {}, {}
        whole = {self._entries[number]: score for score, number in self._scores("word", terms, limit)}
        best: dict[str, float] = {}
        for score, number in self._scores("line_word", terms, limit * 4):
            best.setdefault(self._entries[self._line_owners[number]], score)
        return whole, best

    def entries_with(self, term: str) -> int:
        """In how many entries a term stands."""
        row = self._db.execute("SELECT length(numbers) FROM word WHERE term = ?", (term,)).fetchone()
        return row[0] // array("I").itemsize if row else 0

    def _scores(self, table: str, terms: Sequence[str], limit: int) -> list[tuple[float, int]]:
        """(score, number) of the `limit` best texts, best first."""
        marks = ",".join("?" * len(terms))
        rows = self._db.execute(
            f"SELECT numbers, worth FROM {table} WHERE term IN ({marks})", terms
        ).fetchall()
        # numpy is not imported for a question that a signature settles; where it is at hand it takes half the
        # time, and a tenth of it among ten times the entries
        return _summed_by_numpy(rows, limit) if "numpy" in sys.modules else _summed(rows, limit)


def _summed(rows: Sequence[tuple[bytes, bytes]], limit: int) -> list[tuple[float, int]]:
    """(sum, number) of the `limit` largest sums of (numbers, values) lists; of equal sums the lower number
    first.
    """
    total: dict[int, float] = {}
    for blob, worth in rows:
        for number, value in zip(array("I", blob), array("f", worth), strict=True):
            total[number] = total.get(number, 0.0) + value
    order = sorted(total)
    order.sort(key=total.__getitem__, reverse=True)
    return [(total[number], number) for number in order[:limit]]


def _summed_by_numpy(rows: Sequence[tuple[bytes, bytes]], limit: int) -> list[tuple[float, int]]:
    """The same: sums of the same numbers in the same order."""
    import numpy as np

    if not rows:
        return []
    numbers = np.concatenate([np.frombuffer(blob, "uint32") for blob, _ in rows])
    total = np.bincount(numbers, np.concatenate([np.frombuffer(worth, "float32") for _, worth in rows]))
    held = np.flatnonzero(total)
    if len(held) > limit:  # sort those alone that may be among the first
        held = held[total[held] >= np.partition(total[held], -limit)[-limit]]
    best = held[np.argsort(-total[held], kind="stable")[:limit]]
    return list(zip(total[best].tolist(), best.tolist(), strict=True))


def everything(
    known: Mapping[str, Mapping[str, str]], lines: Iterable[tuple[int, str]]
) -> Mapping[str, Sequence[tuple[object, ...]]]:
    """Rows of the tables `word`, `line_word` and `line`.

    `known`: columns by entry; `lines`: (entry's number, text).
    """
    documents = [
        [[term for line in text.split("\n") for term in all_tokens(line)] for text in columns.values()]
        for columns in known.values()
    ]
    pairs = [(number, [all_tokens(text)]) for number, text in lines]
    return {
        "word": list(weigh(documents, WEIGHTS)),
        "line_word": list(weigh([terms for _, terms in pairs], (1.0,))),
        "line": [(array("I", [number for number, _ in pairs]).tobytes(),)],
    }
