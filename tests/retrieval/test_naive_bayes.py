"""Naive Bayes. Oracle: sklearn's MultinomialNB on the same weighted counts; the weights by hand."""

from __future__ import annotations

import math
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB

from torchwhy.knowledge.questions import AskedQuestion
from torchwhy.retrieval import naive_bayes
from torchwhy.retrieval.naive_bayes import ALPHA, NaiveBayes, train, weighted
from torchwhy.retrieval.tokens import all_tokens

PASSAGES = [
    ("nan", "the loss is nan, nan everywhere"),
    ("nan", "weights become nan overnight"),
    ("memory", "the card runs out of memory"),
    ("memory", "memory of the card grows with the batch"),
    ("memory", "显存 grows with the batch"),
    ("shapes", "matrix shapes differ in the batch"),
    ("shapes", "matrix product of weights"),
    ("quiet", "unseen"),
]
QUESTIONS = ["loss of weights is nan", "memory grows, memory grows", "matrix in memory", "batch", "显存"]


def stored(passages: list[tuple[str, str]]) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.executescript(
        "CREATE TABLE term (term, idf);"
        "CREATE TABLE posting (term, entries, weights);"
        "CREATE TABLE total (entry, size);"
    )
    for table, rows in train(passages).items():
        db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)
    return db


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    made = stored(PASSAGES)
    yield made
    made.close()


def vector(text: str, idf: dict[str, float]) -> list[float]:
    mine = weighted(Counter(all_tokens(text)), idf)
    return [mine.get(term, 0.0) for term in idf]


@pytest.mark.parametrize("question", QUESTIONS)
def test_scores_are_those_of_sklearn(db: sqlite3.Connection, question: str) -> None:
    idf = dict(db.execute("SELECT term, idf FROM term"))
    oracle = MultinomialNB(alpha=0.2, fit_prior=False)
    oracle.fit(np.array([vector(text, idf) for _, text in PASSAGES]), [entry for entry, _ in PASSAGES])
    joint = oracle.predict_joint_log_proba(np.array([vector(question, idf)]))[0]
    wanted = dict(zip(oracle.classes_.tolist(), (joint - joint.max()).tolist(), strict=True))
    assert NaiveBayes(db).scores(question) == pytest.approx(
        wanted, abs=2e-4
    )  # stored with five digits, given with four


def test_what_is_stored_by_hand() -> None:
    rows = train([("one", "red"), ("one", "red blue"), ("two", "blue"), ("two", "green"), ("three", "green")])
    idf = math.log(5 / 3)  # of each of the three
    assert dict(rows["term"]) == pytest.approx({"blu": idf, "green": idf, "red": idf})
    half = 1 / math.sqrt(2)
    weights = {term: list(array("d", blob)) for term, _, blob in rows["posting"]}
    entries = {term: list(array("I", blob)) for term, blob, _ in rows["posting"]}
    assert entries == {"blu": [0, 2], "green": [1, 2], "red": [0]}  # one, three, two
    assert weights["red"] == pytest.approx([math.log(1 + (1 + half) / ALPHA)], abs=1e-5)
    assert weights["blu"][0] == pytest.approx(math.log(1 + half / ALPHA), abs=1e-5)
    assert dict(rows["total"])["one"] == pytest.approx(math.log(1 + 2 * half + 3 * ALPHA), abs=1e-5)


def test_a_question_counts_twice_for_its_entry_and_once_for_others() -> None:
    asked = AskedQuestion(("nan", "shapes"), "the loss is a matrix of nan")
    pairs = [*PASSAGES, *[("nan", asked.text)] * 2, ("shapes", asked.text)]
    assert train(PASSAGES, [asked]) == train(pairs)


@pytest.mark.parametrize("text", ["", "the of", "nothing known here"])
def test_a_text_without_known_words_has_no_scores(db: sqlite3.Connection, text: str) -> None:
    assert NaiveBayes(db).scores(text) == {}


def test_only_the_first_terms_are_read(db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naive_bayes, "MOST_TERMS", 1)
    assert NaiveBayes(db).scores("memory nan nan nan") == NaiveBayes(db).scores("memory")
