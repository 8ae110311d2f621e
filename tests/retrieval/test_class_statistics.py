"""Statistics of passages. Oracle: the same statistics worked out anew from all vectors."""

from __future__ import annotations

import numpy as np

from torchwhy.retrieval.class_statistics import QUESTION_WEIGHT, QUESTIONS_SHARE, Statistics

RANDOM = np.random.default_rng(0)
WIDTH = 7


def some(entries: str) -> tuple[np.ndarray, list[str]]:
    return RANDOM.normal(size=(len(entries), WIDTH)) + ord(entries[0]) / 99, list(entries)


def joined(*parts: tuple[np.ndarray, list[str]]) -> Statistics:
    return Statistics.of(np.vstack([part for part, _ in parts]), [id for _, ids in parts for id in ids])


def test_by_hand() -> None:
    made = Statistics.of(np.array([[1.0, 0], [3, 0], [5, 5]]), ["b", "b", "a"])
    assert made.ids == ["a", "b"]
    assert made.counts.tolist() == [1, 2]
    assert made.means.tolist() == [[5, 5], [2, 0]]
    assert made.covariance.tolist() == [[2 / 3, 0], [0, 0]]


def test_the_kept_beside_others() -> None:
    first, second = joined(some("aaabbbccccd")), joined(some("ddx"))
    made = first.with_others({"a", "c"}, second)
    assert made.ids == ["a", "c", "d", "x"]
    assert made.counts.tolist() == [3, 4, 2, 1]
    np.testing.assert_array_equal(made.means, np.vstack([first.means[[0, 2]], second.means]))
    np.testing.assert_array_equal(made.covariance, first.covariance)


def test_questions_move_their_entries_means_and_half_of_the_scatter_is_theirs() -> None:
    passages = Statistics.of(np.array([[0.0, 0], [0, 4], [9, 0], [9, 4]]), ["a", "a", "b", "b"])
    made = passages.with_questions(np.array([[2.0, 2], [5, 7]]), [("a", "b"), ("gone",)])
    weight = QUESTION_WEIGHT
    np.testing.assert_allclose(
        made.means, [[2 * weight / (2 + weight), 2], [(18 + weight) / (2 + weight / 2), 2]]
    )
    np.testing.assert_array_equal(made.counts, passages.counts)
    # passages scatter by 4 in y alone, the question by as much in x alone, and each has half
    np.testing.assert_allclose(made.covariance, [[4 * QUESTIONS_SHARE, 0], [0, 4 * (1 - QUESTIONS_SHARE)]])


def test_without_questions_the_statistics_are_the_passages() -> None:
    passages = joined(some("aabb"))
    assert passages.with_questions(np.zeros((0, 0)), []) is passages


def test_packed_and_unpacked_within_half_precision() -> None:
    whole = joined(some("aaabbbccccd"))
    back = Statistics.unpacked(whole.ids, whole.packed())
    assert back.ids == whole.ids
    np.testing.assert_array_equal(back.counts, whole.counts)
    np.testing.assert_allclose(back.means, whole.means, rtol=1e-3)
    np.testing.assert_allclose(back.covariance, whole.covariance, atol=1e-3 * np.abs(whole.covariance).max())
    np.testing.assert_array_equal(back.covariance, back.covariance.T)


def test_a_column_without_spread_stays_one() -> None:
    flat = Statistics.of(np.ones((4, 2)), ["a", "a", "b", "b"])
    assert Statistics.unpacked(flat.ids, flat.packed()).covariance.tolist() == [[0, 0], [0, 0]]
