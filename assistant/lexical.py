"""Word search over the compiled knowledge: bm25 over entries and over their single lines (titles and questions).

What a word is worth in a text does not depend on the question, so it is worked out when knowledge is compiled, and a
question adds up short lists. The formula and its constants are those of SQLite's FTS5, which this replaced because it
took three times as long (4.0 ms a question against 1.3: it works out every match anew).
"""

from __future__ import annotations

import math
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .normalise import all_tokens
from .store import Store

WEIGHTS = (4.0, 3.0, 2.0, 1.0)  # name, asks, messages, body
MOST_TERMS = 64
K1, B = 1.2, 0.75


def terms_of(text: str) -> list[str]:
    """What is searched for: the text's distinct terms, the first MOST_TERMS of them."""
    return list(dict.fromkeys(all_tokens(text)))[:MOST_TERMS]


def weigh(texts: Iterable[Sequence[Sequence[str]]], columns: Sequence[float]) -> Iterator[tuple[str, bytes, bytes]]:
    """(term, numbers of the texts that hold it, what it is worth there) of texts given as columns of terms."""
    counts: list[dict[str, float]] = []
    lengths: list[int] = []
    for text in texts:
        mass: Counter[str] = Counter()
        for terms, weight in zip(text, columns, strict=True):
            for term in terms:
                mass[term] += weight  # type: ignore[assignment]
        counts.append(dict(mass))
        lengths.append(sum(map(len, text)))
    spread = Counter(term for each in counts for term in each)
    mean = sum(lengths) / max(1, len(lengths)) or 1.0
    numbers: dict[str, array[int]] = {term: array("I") for term in sorted(spread)}
    values: dict[str, array[float]] = {term: array("f") for term in numbers}
    for number, (each, length) in enumerate(zip(counts, lengths, strict=True)):
        for term, count in each.items():
            rarity = max(1e-6, math.log((len(counts) - spread[term] + 0.5) / (spread[term] + 0.5)))
            numbers[term].append(number)
            values[term].append(rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean)))
    for term in numbers:
        yield term, numbers[term].tobytes(), values[term].tobytes()


def _scores(db: sqlite3.Connection, table: str, terms: Sequence[str], limit: int) -> list[tuple[float, int]]:
    """(score, number) of the `limit` best texts, best first."""
    total: dict[int, float] = {}
    marks = ",".join("?" * len(terms))
    for blob, worth in db.execute(f"SELECT numbers, worth FROM {table} WHERE term IN ({marks})", terms):
        numbers, values = array("I", blob), array("f", worth)
        for number, value in zip(numbers, values, strict=True):
            total[number] = total.get(number, 0.0) + value
    order = sorted(total)  # equal scores: the earlier text first
    order.sort(key=total.__getitem__, reverse=True)
    return [(total[number], number) for number in order[:limit]]


def search(store: Store, text: str, limit: int = 60) -> tuple[dict[str, float], dict[str, float]]:
    """bm25 scores (higher is better) by entry: of whole entries, and of each entry's best line."""
    terms = terms_of(text)
    if not terms:
        return {}, {}
    whole = {store.numbered[number]: score for score, number in _scores(store.db, "word", terms, limit)}
    best: dict[str, float] = {}
    for score, number in _scores(store.db, "line_word", terms, limit * 4):
        best.setdefault(store.numbered[store.lines[number]], score)
    return whole, best


def spread(store: Store, term: str) -> int:
    """In how many entries a term stands."""
    row = store.db.execute("SELECT length(numbers) FROM word WHERE term = ?", (term,)).fetchone()
    return row[0] // array("I").itemsize if row else 0


def everything(known: Mapping[str, Mapping[str, str]], lines: Iterable[tuple[int, str]]) -> Mapping[str, Sequence[tuple[object, ...]]]:
    """Rows of the tables `word`, `line_word` and `line`. `known`: columns by entry; `lines`: (entry's number, text)."""
    documents = [[[term for line in text.split("\n") for term in all_tokens(line)] for text in columns.values()] for columns in known.values()]
    pairs = [(number, [all_tokens(text)]) for number, text in lines]
    return {
        "word": list(weigh(documents, WEIGHTS)),
        "line_word": list(weigh([terms for _, terms in pairs], (1.0,))),
        "line": [(array("I", [number for number, _ in pairs]).tobytes(),)],
    }
