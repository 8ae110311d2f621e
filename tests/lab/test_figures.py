"""Figures of labelled texts. Oracles: scikit-learn for AUROC and calibration, the Wilson interval as the
roots of its equation, counts by hand; the methods on a store of a few entries.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import roc_auc_score

from tests.support.made import MEMORY, NAN, open_store, other
from torchwhy.embedding import encoders as encoder_module
from torchwhy.errors import UsageError
from torchwhy.lab import evaluate
from torchwhy.lab.evaluate import METHODS, LabelledText, Outcome, auroc, load_rows, measure, usable, wilson
from torchwhy.retrieval.features import NAMES, NONE_NAMES
from torchwhy.retrieval.matcher import Matcher
from torchwhy.retrieval.ranking import Ranking
from torchwhy.retrieval.store import Store


def row(
    label: str, text: str = "x", also: Sequence[str] = (), lang: str = "en", kind: str = "paste"
) -> LabelledText:
    return LabelledText(label, frozenset(also), lang, kind, text)


# one figure each


@pytest.mark.parametrize(("hits", "count"), [(0, 1), (1, 1), (0, 30), (7, 30), (29, 30), (500, 1000)])
def test_wilson_bounds_solve_their_equation(hits: int, count: int) -> None:
    share, low, high = wilson(hits, count)
    square = 1.96**2 / count  # (share - p)^2 = z^2 p (1 - p) / n
    roots = sorted(np.roots([1 + square, -(2 * hits / count + square), (hits / count) ** 2]).real.tolist())
    assert share == hits / count
    assert [low, high] == pytest.approx(roots, abs=1e-7)


def test_wilson_of_nothing() -> None:
    assert wilson(0, 0) == (0.0, 0.0, 0.0)


SCORED = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9, 1.0]), st.booleans()), min_size=2, max_size=30
)


@settings(max_examples=60, deadline=None)
@given(SCORED.filter(lambda scores: len({covered for _, covered in scores}) == 2))
def test_auroc_is_sklearns(scores: list[tuple[float, bool]]) -> None:
    assert auroc(scores) == pytest.approx(
        roc_auc_score([covered for _, covered in scores], [score for score, _ in scores])
    )


def test_auroc_needs_both_kinds() -> None:
    assert auroc([(0.5, True)]) is None
    assert auroc([(0.5, False)]) is None
    assert auroc([]) is None


RANDOM = np.random.default_rng(1)
MANY = [row(label) for label in RANDOM.choice(["a", "b", "none"], 200)]
SAID = [
    Outcome((str(first), "b"), round(float(p), 4) + 0.00001, bool(p > 0.4))
    for first, p in zip(RANDOM.choice(["a", "b"], 200), RANDOM.random(200) * 0.99, strict=True)
]
RIGHT = [out.ids[0] == each.label for each, out in zip(MANY, SAID, strict=True)]


def test_the_calibration_error_is_that_of_sklearns_curve() -> None:
    p = np.array([out.probability for out in SAID])
    share, mean = calibration_curve(RIGHT, p, n_bins=10, strategy="uniform")
    counts = np.histogram(p, bins=np.linspace(0, 1, 11))[0]
    wanted = float(np.sum(counts[counts > 0] * np.abs(share - mean)) / len(p))
    assert measure(MANY, SAID)["ece"] == pytest.approx(wanted)


def test_a_probability_of_one_is_in_the_last_bin() -> None:
    rows = [row("a"), row("b")]
    assert measure(rows, [Outcome(("a",), 1.0, True), Outcome(("a",), 0.95, True)])["ece"] == pytest.approx(
        0.95 / 2
    )


ROWS = [row("a"), row("b", also=["c"]), row("b"), row("d"), row("none"), row("none")]
OUT = [
    Outcome(("a", "b"), 0.8, True),  # right
    Outcome(("c", "b"), 0.6, True),  # right: it is one of `also`
    Outcome(("x", "y", "b"), 0.5, False),  # third, refused
    Outcome((), 0.0, False),  # nothing found
    Outcome(("a",), 0.7, True),  # foreign, answered
    Outcome(("b",), 0.1, False),  # foreign, refused
]


@pytest.mark.parametrize(
    ("name", "hits", "count"),
    [
        ("top1", 2, 4),
        ("top3", 3, 4),
        ("foreign_answered", 1, 2),
        ("covered_refused", 2, 4),
        ("precision", 2, 3),
    ],
)
def test_each_share_by_hand(name: str, hits: int, count: int) -> None:
    assert measure(ROWS, OUT)[name] == wilson(hits, count)


def test_counts_and_calibration_by_hand() -> None:
    found = measure(ROWS, OUT)
    assert (found["rows"], found["covered"], found["foreign"]) == (6, 4, 2)
    assert found["ece"] == pytest.approx((0.2 + 0.4 + 0.5 + 0.7 + 0.1) / 5)  # of the rows with a candidate
    assert found["auroc"] == pytest.approx((2 + 1 + 1 + 0) / 8)


def test_nothing_measured() -> None:
    found = measure([], [])
    assert (found["rows"], found["ece"], found["auroc"], found["precision"]) == (
        0,
        0.0,
        None,
        (0.0, 0.0, 0.0),
    )


def test_what_is_wrong() -> None:
    assert evaluate.wrong(ROWS, OUT) == [(ROWS[at], OUT[at]) for at in (2, 3, 4)]
    assert len(evaluate.wrong([row("a")], [Outcome(("b",), 0.9, True)])) == 1
    assert len(evaluate.wrong([row("a")], [Outcome((), 0.9, True)])) == 1


# rows


def test_groups_and_json() -> None:
    rows = [row("a", lang="zh"), row("a", kind="question"), row("none")]
    assert evaluate.groups(rows) == {
        "all": [0, 1, 2],
        "en": [1, 2],
        "zh": [0],
        "paste": [0, 2],
        "question": [1],
    }
    found = evaluate.as_json(rows, {"m": OUT[:3]})
    assert found["m"]["zh"] == measure(rows[:1], OUT[:1])
    assert set(found["m"]) == {"all", "en", "zh", "paste", "question"}


def test_usable_rows() -> None:
    kept, out = evaluate.usable(iter(ROWS), ["a", "b"])
    assert (kept, out) == ([ROWS[0], ROWS[1], ROWS[2], ROWS[4], ROWS[5]], 1)


def test_rows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    full = {
        "label": "a",
        "also": ["b"],
        "lang": "zh",
        "kind": "question",
        "text": "t",
        "source": "https://x.org",
    }
    path.write_text(
        json.dumps(full) + "\n\n" + json.dumps({"label": "none", "text": "u", "source": ""}) + "\n"
    )
    assert load_rows(path) == [
        LabelledText("a", frozenset("b"), "zh", "question", "t", "https://x.org"),
        LabelledText("none", frozenset(), "en", "paste", "u"),
    ]
    assert load_rows(path)[0].right == {"a", "b"}
    assert load_rows(path)[0].text == "t"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no rows"),
        ("\n{", ":2: not a row"),
        ('{"label": "a"}', ":1: not a row"),
        ("[]", ":1: not a row"),
        ("3", ":1: not a row"),
    ],
)
def test_rows_that_cannot_be_read(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "rows.jsonl").write_text(text)
    with pytest.raises(UsageError, match=said):
        load_rows(tmp_path / "rows.jsonl")
    with pytest.raises(UsageError, match="cannot be read"):
        load_rows(tmp_path / "absent.jsonl")


# the methods


class MadeVectors:
    """Two columns of cosines for every text: the entry `nan` is near, others are not."""

    model = None

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[float("nan" in text), 1.0] for text in texts], "float32")

    def nearest(self, vectors: np.ndarray) -> list[dict[str, list[float]]]:
        return [{"loss-is-nan": [0.2, 0.8]} if row[0] else {} for row in vectors.tolist()]


class MadeEncoder:
    dimension = 2

    def __init__(self, model: Any, device: str, *, adapted: bool) -> None:
        assert (device, adapted) == ("cpu", False)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[text.count("nan"), text.count("matrix"), 99.0] for text in texts], "float32")


OOM = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"
TEXTS = [
    row("gpu-out-of-memory", OOM),
    row("loss-is-nan", "logarithm and nan"),
    row("none", "zzz"),
    row("shapes", "matrix matrix"),
]
WORDS = {
    "family": (),
    "listed": 1.0,
    "weights": [float(name == "lexical_whole") for name in NAMES],
    "none": [0.0] * len(NONE_NAMES),
    "temperature": 1.0,
    "threshold": 0.1,
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    many = [
        other("shapes", "matrix shapes differ"),
        other("hooks", "hook returns"),
        other("devices", "devices differ"),
    ]
    made = open_store(tmp_path_factory.mktemp("figures"), MEMORY, NAN, *many)
    yield made
    made.db.close()


@pytest.fixture
def matcher(store: Store) -> Matcher:
    return Matcher(store, lambda: None, Ranking({"full": WORDS, "quick": WORDS}))


def test_signatures_alone(matcher: Matcher) -> None:
    both = f"{OOM}\nstatus alloc failed in cublasCreate, nan"
    found = evaluate.signatures_only(matcher, [*TEXTS, row("a", both)])
    assert [out.ids for out in found] == [
        ("gpu-out-of-memory",),
        ("loss-is-nan",),
        (),
        (),
        ("gpu-out-of-memory", "loss-is-nan"),
    ]
    assert [(out.probability, out.answered) for out in found[:3]] == [(1.0, True), (1.0, True), (0.0, False)]


def test_bm25_alone(matcher: Matcher) -> None:
    found = evaluate.bm25_only(matcher, TEXTS)
    assert [out.ids[:1] for out in found] == [("gpu-out-of-memory",), ("loss-is-nan",), (), ("shapes",)]
    assert found[2] == Outcome((), 0.0, False)
    assert found[3].probability > 1.0


def test_cosine_over_entries(matcher: Matcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_module, "TorchEncoder", MadeEncoder)
    found = evaluate.cosine_over_entries(matcher, TEXTS, MadeVectors())
    assert (found[1].ids[0], found[3].ids[0]) == ("loss-is-nan", "shapes")
    assert found[2].ids == tuple(matcher.store.ids())  # all alike: in the order of ids
    nan = matcher.store.pitfall("loss-is-nan")
    parts = [nan.title.en, nan.signatures[0].example, nan.cause.en, nan.fix.en, nan.title.zh, nan.cause.zh]
    assert found[1].probability == sum(part.count("nan") for part in parts)
    assert all(out.answered for out in found)


def test_the_hybrid_adds_what_is_scaled(matcher: Matcher) -> None:
    found = evaluate.hybrid(matcher, TEXTS, MadeVectors())
    assert (found[1].ids[0], found[1].probability) == ("loss-is-nan", pytest.approx(1.0))  # best of both
    assert (found[3].ids[0], found[3].probability) == ("shapes", pytest.approx(0.5))  # of words alone
    assert found[2] == Outcome((), 0.0, False)


def test_what_is_compared(matcher: Matcher, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoder_module, "TorchEncoder", MadeEncoder)
    assert list(evaluate.compare(matcher, TEXTS, ablate=False)) == [METHODS[4]]
    assert list(evaluate.compare(matcher, TEXTS, ablate=True)) == [METHODS[1], METHODS[2], METHODS[4]]
    given_ = [Outcome(("given",), 1.0, True)] * len(TEXTS)
    matcher.open_vectors = lambda: MadeVectors()
    said: list[str] = []
    found = evaluate.compare(matcher, TEXTS, ablate=True, given=given_, progress=said.append)
    assert list(found) == list(METHODS)
    assert said == [METHODS[0], METHODS[1], METHODS[4]]
    assert found[METHODS[4]] is given_


def test_what_no_entry_covers_can_be_kept_as_uncovered() -> None:
    rows = [
        LabelledText("known", frozenset({"other"}), "en", "line", "a"),
        LabelledText("to-come", frozenset({"known"}), "en", "line", "b"),
        LabelledText("to-come", frozenset(), "en", "line", "c"),
        LabelledText("none", frozenset(), "en", "line", "d"),
    ]
    kept, left_out = usable(rows, ["known"], uncovered=True)
    assert [(row.label, row.also) for row in kept] == [
        ("known", frozenset()),
        ("known", frozenset()),
        ("none", frozenset()),
        ("none", frozenset()),
    ]
    assert left_out == 0
    assert usable(rows, ["known"]) == ([rows[0], rows[3]], 2)
