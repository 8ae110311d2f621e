"""The linear discriminant. Oracles: sklearn's shrunk_covariance, its LinearDiscriminantAnalysis with the same
shrinkage (equally many passages an entry, so that its priors cancel), and scores by hand.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from torchwhy.retrieval import class_statistics
from torchwhy.retrieval.class_statistics import Statistics
from torchwhy.retrieval.discriminant import SCALE, SHRINK, Discriminant, solve

RANDOM = np.random.default_rng(0)
ENTRIES = ["c", "a", "b"] * 8
VECTORS = (
    RANDOM.normal(size=(24, 5)) * [1, 2, 3, 4, 5] + np.repeat(RANDOM.normal(size=(1, 5)), 24, 0)
).astype("float32")
VECTORS[::3] += 2.0
QUESTIONS = RANDOM.normal(size=(4, 5)).astype("float32")


def train(
    vectors: np.ndarray, entries: list[str], foreign: np.ndarray | None = None
) -> tuple[list[str], np.ndarray]:
    statistics = Statistics.of(vectors, entries)
    return statistics.ids, solve(statistics, foreign)


def test_scores_are_those_of_sklearns_discriminant_analysis() -> None:
    oracle = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=SHRINK).fit(
        VECTORS.astype("float64"), ENTRIES
    )
    wanted = oracle.decision_function(QUESTIONS.astype("float64")) / SCALE
    found = Discriminant(*train(VECTORS, ENTRIES)).scores(QUESTIONS)
    for (scores, _), row in zip(found, wanted, strict=True):
        assert scores == pytest.approx(dict(zip(oracle.classes_, row - row.max(), strict=True)), abs=1e-4)


def test_parts_give_what_the_whole_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train(VECTORS, ENTRIES)[1]
    monkeypatch.setattr(class_statistics, "SLICE_PASSAGES", 5)
    np.testing.assert_allclose(train(VECTORS, ENTRIES)[1], whole, rtol=1e-5)


def test_entries_without_any_spread_are_told_by_their_means() -> None:
    vectors = np.array([[1, 0], [0, 1]], "float32")
    ids, weights = train(vectors, ["x", "y"])  # the covariance is nothing: the identity's share alone is left
    np.testing.assert_allclose(weights, [[5, 0, -2.5], [0, 5, -2.5]], rtol=1e-6)
    assert ids == ["x", "y"]


def test_foreign_centres_are_rows_at_the_end_and_do_not_change_the_others() -> None:
    foreign = np.array([[9, 9, 9, 9, 9], [0, 0, 0, 0, 1]], "float32")
    ids, weights = train(VECTORS, ENTRIES, foreign)
    assert ids == ["a", "b", "c"]
    np.testing.assert_array_equal(weights[:3], train(VECTORS, ENTRIES)[1])


HAND = np.array([[40, 0, 0], [0, 80, -40]], "float32")  # two entries: x, and 2 y - 1


def test_scores_by_hand() -> None:
    found = Discriminant(["x", "y"], HAND).scores(np.array([[3, 0.5], [0.25, 1.5]], "float32"))
    assert found[0] == ({"x": 0.0, "y": -3.0}, 0.0)  # 3 against 0; no foreign centre
    assert found[1] == ({"x": -1.75, "y": 0.0}, 0.0)  # 0.25 against 2


def test_how_far_the_nearest_foreign_centre_stands_above_the_best_entry() -> None:
    foreign = np.array([[20, 0, 0], [0, 0, 100]], "float32")  # x / 2, and 2.5
    of = Discriminant(["x", "y"], np.vstack([HAND, foreign]))
    found = of.scores(np.array([[3, 0.5], [0.25, 1.5], [8, 0]], "float32"))
    assert [gap for _, gap in found] == [-0.5, 0.5, -4.0]
    assert set(found[0][0]) == {"x", "y"}
