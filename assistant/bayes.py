"""Naive Bayes over the words of the passages: how likely an entry's passages are to hold the words of a question.

bm25 rewards rare words that stand anywhere in an entry; this weighs a word by how much it is *this* entry's. Trained when
knowledge is compiled, read by one indexed query, pure Python: it needs neither numpy nor a model.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .normalise import all_tokens

ALPHA = 0.2  # what a word that an entry never uses counts for
MOST_TERMS = 200


@dataclass(frozen=True, slots=True)
class Trained:
    """`weights[(term, entry)]` = log(1 + count / ALPHA); `sizes[entry]` = log(all counts + ALPHA * vocabulary)."""

    idf: Mapping[str, float]
    weights: Mapping[tuple[str, str], float]
    sizes: Mapping[str, float]


def train(passages: Iterable[tuple[str, str]]) -> Trained:
    """Train on (entry, text) pairs. A passage counts once, however long it is."""
    rows = [(entry, Counter(all_tokens(text))) for entry, text in passages]
    spread = Counter(term for _, counts in rows for term in counts)
    idf = {term: math.log(len(rows) / (1 + spread[term])) for term in sorted(spread) if spread[term] >= 2}
    mass: dict[tuple[str, str], float] = defaultdict(float)
    total: dict[str, float] = defaultdict(float)
    for entry, counts in rows:
        for term, value in weighted(counts, idf).items():
            mass[term, entry] += value
            total[entry] += value
    weights = {key: round(math.log1p(value / ALPHA), 5) for key, value in sorted(mass.items())}
    sizes = {entry: round(math.log(total[entry] + ALPHA * len(idf)), 5) for entry, _ in rows}
    return Trained(idf, weights, sizes)


def weighted(counts: Mapping[str, int], idf: Mapping[str, float]) -> dict[str, float]:
    """Term weights of one text (damped count times rarity), of length one."""
    values = {term: (1 + math.log(count)) * idf[term] for term, count in counts.items() if term in idf}
    length = math.sqrt(sum(value * value for value in values.values())) or 1.0
    return {term: value / length for term, value in values.items()}


def scores(db: sqlite3.Connection, text: str) -> dict[str, float]:
    """Every entry's score for a text, relative to the best one (0 or less); {} where no word is known."""
    counts = Counter(all_tokens(text))
    terms = list(counts)[:MOST_TERMS]
    marks = ",".join("?" * len(terms))
    idf = dict(db.execute(f"SELECT term, idf FROM term WHERE term IN ({marks})", terms))
    query = weighted({term: counts[term] for term in terms}, idf)
    if not query:
        return {}
    mass = sum(query.values())
    result = {entry: -mass * size for entry, size in db.execute("SELECT entry, size FROM total")}
    for term, entry, weight in db.execute(f"SELECT term, entry, weight FROM posting WHERE term IN ({marks})", list(query) + [""] * (len(terms) - len(query))):
        result[entry] += query[term] * weight
    best = max(result.values())
    return {entry: round(score - best, 4) for entry, score in result.items()}
