"""bm25. Oracle: SQLite's FTS5 and its bm25(), on an index made of the same tokens (its scores are negated).

FTS5 keeps an inverse document frequency above zero (1e-6) for a term that stands in more than half of the
texts, counts a term in a column `weight` times, and measures a text's length in tokens of all its columns.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.made import MEMORY, NAN, open_store, other
from torchwhy.retrieval import bm25
from torchwhy.retrieval.bm25 import BM25, MOST_TERMS, WEIGHTS, terms_of, weigh
from torchwhy.retrieval.passages import document
from torchwhy.retrieval.store import Store
from torchwhy.retrieval.tokens import all_tokens

Texts = Sequence[Sequence[Sequence[str]]]
ENTRIES = (
    MEMORY,
    NAN,
    other("shapes", "matrix shapes differ"),
    other("devices", "tensors live on devices"),
    other("workers", "workers hang and hang"),
    other("hooks", "a hook returns none"),
)


def fts5(texts: Texts, weights: Sequence[float], terms: Sequence[str]) -> dict[int, float]:
    """What FTS5 says: text number -> score, higher is better."""
    names = [f"c{at}" for at in range(len(weights))]
    db = sqlite3.connect(":memory:")
    tokenizer = "unicode61 remove_diacritics 0 tokenchars ''_''"
    db.execute(f"CREATE VIRTUAL TABLE f USING fts5({', '.join(names)}, tokenize='{tokenizer}')")
    marks = ",".join("?" * len(names))
    for number, text in enumerate(texts):
        db.execute(
            f"INSERT INTO f(rowid, {', '.join(names)}) VALUES ({number}, {marks})",
            [" ".join(c) for c in text],
        )
    match = " OR ".join(f'"{term}"' for term in terms)
    rows = db.execute(
        f"SELECT rowid, -bm25(f, {', '.join(map(str, weights))}) FROM f WHERE f MATCH ?", (match,)
    )
    found = dict(rows.fetchall())
    db.close()
    return found


def own(texts: Texts, weights: Sequence[float], terms: Sequence[str]) -> dict[int, float]:
    """The same from `weigh`, summed over the terms."""
    total: dict[int, float] = {}
    for term, numbers, worth in weigh(texts, weights):
        if term in terms:
            for number, value in zip(array("I", numbers), array("f", worth), strict=True):
                total[number] = total.get(number, 0.0) + value
    return total


WORDS = st.lists(st.sampled_from(["aa", "bb", "cc", "dd", "ee"]), max_size=6)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=7).filter(lambda texts: any(map(any, texts))),
    st.lists(st.sampled_from(["aa", "bb", "cc"]), min_size=1, unique=True),
)
def test_any_small_corpus_scores_as_in_fts5(
    texts: list[tuple[list[str], list[str]]], terms: list[str]
) -> None:
    assert own(texts, (3.0, 1.0), terms) == pytest.approx(fts5(texts, (3.0, 1.0), terms), rel=1e-5, abs=1e-9)


def test_nothing_comes_of_no_texts_and_of_empty_ones() -> None:
    assert list(weigh([], (1.0,))) == []
    assert list(weigh([[[]], [[]]], (1.0,))) == []


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = open_store(tmp_path_factory.mktemp("lexical"), *ENTRIES)
    yield made
    made.db.close()


def columns() -> Texts:
    """The entries' columns, tokenised line by line (a path or a number never runs over a line's end)."""
    made = [document(entry).values() for entry in ENTRIES]
    return [
        [[term for line in text.split("\n") for term in all_tokens(line)] for text in each] for each in made
    ]


@pytest.mark.parametrize(
    "question", ["the loss turned nan", "matrix shapes on the card", "显存不够, batch too large", "hangs"]
)
def test_whole_entries_score_as_in_fts5(store: Store, question: str) -> None:
    whole, _ = store.words.search(question)
    wanted = fts5(columns(), WEIGHTS, terms_of(question))
    assert whole == pytest.approx({ENTRIES[at].id: score for at, score in wanted.items()}, rel=1e-5, abs=1e-9)


def test_an_entrys_line_score_is_its_best_lines(store: Store) -> None:
    lines = [(entry, text) for _, entry, field, _, text in store.passages() if field in ("title", "ask")]
    _, best = store.words.search("nan loss after training steps on my card")
    wanted: dict[str, float] = {}
    found = fts5(
        [[all_tokens(text)] for _, text in lines],
        (1.0,),
        terms_of("nan loss after training steps on my card"),
    )
    for at, score in found.items():
        wanted[lines[at][0]] = max(score, wanted.get(lines[at][0], 0.0))
    assert best == pytest.approx(wanted, rel=1e-5, abs=1e-9)


def test_best_first_and_no_more_than_the_limit(store: Store) -> None:
    whole, _ = store.words.search("tensors hook matrix nan", limit=2)
    every, _ = store.words.search("tensors hook matrix nan")
    assert len(every) > 2
    assert list(whole) == list(every)[:2]
    assert list(every.values()) == sorted(every.values(), reverse=True)


def test_equal_scores_leave_the_earlier_text_first() -> None:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE word (term TEXT, numbers BLOB, worth BLOB)")
    blobs = array("I", [3, 1, 2]).tobytes(), array("f", [1.0, 1.0, 2.0]).tobytes()
    db.execute("INSERT INTO word VALUES ('t', ?, ?)", blobs)
    assert BM25(db)._scores("word", ["t"], 9) == [(2.0, 2), (1.0, 1), (1.0, 3)]
    assert BM25(db)._scores("word", ["t"], 2) == [(2.0, 2), (1.0, 1)]
    db.close()


def test_a_text_without_terms_finds_nothing(store: Store) -> None:
    assert store.words.search("the of 12 ...") == ({}, {})


def test_terms_are_distinct_in_order_and_limited() -> None:
    assert terms_of("nan loss nan") == ["nan", "loss"]
    words = [f"{first}{second}q" for first in "bcdfghjkmp" for second in "aeiouvwxyz"]
    assert terms_of(" ".join(words)) == words[:MOST_TERMS]


def test_spread_counts_entries(store: Store) -> None:
    assert store.words.entries_with("matrix") == 1
    assert store.words.entries_with("标题") == 4
    assert store.words.entries_with("absent") == 0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.dictionaries(st.integers(0, 30), st.floats(2.0**-10, 9, width=32), min_size=1), max_size=6),
    st.integers(1, 40),
)
def test_with_numpy_and_without_the_sums_are_the_same(lists: list[dict[int, float]], limit: int) -> None:
    rows = [
        (array("I", sorted(each)).tobytes(), array("f", [each[key] for key in sorted(each)]).tobytes())
        for each in lists
    ]
    assert bm25._summed(rows, limit) == bm25._summed_by_numpy(rows, limit)
