"""Word search over the compiled knowledge: SQLite's bm25 over entries and over their single lines."""

from __future__ import annotations

from .normalise import all_tokens
from .store import Store

WEIGHTS = "4.0, 3.0, 2.0, 1.0"  # name, asks, messages, body
MOST_TERMS = 64


def query(text: str) -> str:
    """The FTS5 query of a text: its distinct terms, any of which may match. "" where it has none."""
    terms = list(dict.fromkeys(all_tokens(text)))[:MOST_TERMS]
    return " OR ".join(f'"{term}"' for term in terms if '"' not in term)


def search(store: Store, text: str, limit: int = 60) -> tuple[dict[str, float], dict[str, float]]:
    """bm25 scores (higher is better) by entry: of whole entries, and of each entry's best line."""
    terms = query(text)
    if not terms:
        return {}, {}
    whole = {
        row[0]: -row[1]
        for row in store.db.execute(
            f"SELECT entry.id, found.score FROM (SELECT rowid AS n, bm25(lexical, {WEIGHTS}) AS score FROM lexical "
            "WHERE lexical MATCH ? ORDER BY score LIMIT ?) AS found JOIN entry ON entry.rowid = found.n",
            (terms, limit),
        )
    }
    best: dict[str, float] = {}
    for entry, score in store.db.execute(
        "SELECT passage.entry, found.score FROM (SELECT rowid AS n, bm25(lines) AS score FROM lines WHERE lines MATCH ? "
        "ORDER BY score LIMIT ?) AS found JOIN passage ON passage.id = found.n",
        (terms, limit * 4),
    ):
        best[entry] = max(best.get(entry, 0.0), -score)
    return whole, best
