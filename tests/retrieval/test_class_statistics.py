"""Statistics of passages. Oracle: the same statistics worked out anew from all vectors."""

from __future__ import annotations

import numpy as np
import pytest

from torchwhy.retrieval.class_statistics import Statistics

RANDOM = np.random.default_rng(0)
WIDTH = 7


def some(entries: str) -> tuple[np.ndarray, list[str]]:
    return RANDOM.normal(size=(len(entries), WIDTH)) + ord(entries[0]) / 99, list(entries)


def same(one: Statistics, other: Statistics, tolerance: float = 1e-9) -> None:
    assert one.ids == other.ids
    np.testing.assert_array_equal(one.counts, other.counts)
    np.testing.assert_allclose(one.means, other.means, atol=tolerance)
    np.testing.assert_allclose(one.scatter, other.scatter, atol=tolerance)


def joined(*parts: tuple[np.ndarray, list[str]]) -> Statistics:
    return Statistics.of(np.vstack([part for part, _ in parts]), [id for _, ids in parts for id in ids])


def test_by_hand() -> None:
    made = Statistics.of(np.array([[1.0, 0], [3, 0], [5, 5]]), ["b", "b", "a"])
    assert made.ids == ["a", "b"]
    assert made.counts.tolist() == [1, 2]
    assert made.means.tolist() == [[5, 5], [2, 0]]
    assert made.scatter.tolist() == [[2, 0], [0, 0]]


@pytest.mark.parametrize("more", ["xyz", "aab", "abxx"])
def test_adding_is_exact(more: str) -> None:
    first, second = some("aaabbbccccd"), some(more)
    same(joined(first).added(joined(second)), joined(first, second))


@pytest.mark.parametrize("gone", ["d", "aab", "ccc", "acd"])
def test_taking_away_is_exact(gone: str) -> None:
    rest, lost = some("aaabbbcccc"), some(gone)
    same(joined(rest, lost).without(joined(lost)), joined(rest))


def test_one_lost_passage_is_told_by_what_the_others_leave() -> None:
    rest, lost = some("aaabbbcccc"), some("b")
    whole = joined(rest, lost)
    kept = Statistics.of(rest[0][3:6], rest[1][3:6])
    estimate = whole.of_lost({"b": 1}, kept)
    np.testing.assert_allclose(estimate.means, lost[0], atol=1e-9)
    same(whole.without(estimate), joined(rest))


def test_an_entry_lost_whole_takes_its_count_and_an_average_scatter_along() -> None:
    rest, lost = some("aaabbbcccc"), some("ddddd")
    whole = joined(rest, lost)
    left = whole.without(whole.of_lost({"d": 5}, None))
    assert left.ids == ["a", "b", "c"]
    np.testing.assert_allclose(left.means, joined(rest).means)
    share = 1 - 4 / (whole.counts.sum() - 4)
    np.testing.assert_allclose(left.scatter, whole.scatter * share, atol=1e-9)


def test_packed_and_unpacked_within_half_precision() -> None:
    whole = joined(some("aaabbbccccd"))
    back = Statistics.unpacked(whole.ids, whole.packed())
    assert back.ids == whole.ids
    np.testing.assert_array_equal(back.counts, whole.counts)
    np.testing.assert_allclose(back.means, whole.means, rtol=1e-3)
    np.testing.assert_allclose(back.scatter, whole.scatter, atol=1e-3 * np.abs(whole.scatter).max())
    np.testing.assert_array_equal(back.scatter, back.scatter.T)


def test_a_column_without_spread_stays_one() -> None:
    flat = Statistics.of(np.ones((4, 2)), ["a", "a", "b", "b"])
    assert Statistics.unpacked(flat.ids, flat.packed()).scatter.tolist() == [[0, 0], [0, 0]]
