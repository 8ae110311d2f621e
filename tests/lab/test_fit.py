"""The conditional logit. Oracles: its loss written out row by row, whose finite differences are nothing at the
weights that are found, and closed forms for what is chosen.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.optimize import approx_fprime

from tests.support.made import MEMORY, NAN, open_store, other
from torchwhy.embedding.model import Model
from torchwhy.knowledge.questions import AskedQuestion
from torchwhy.lab import fit as fitting
from torchwhy.lab.evaluate import LabelledText, Outcome, measure
from torchwhy.lab.fit import (
    ELSEWHERE_WEIGHT,
    FOLDS,
    L2,
    OWN_SHARE,
    choose,
    cross_entropy,
    cross_validated,
    fit,
    folds,
    predict,
    shares,
    with_elsewhere,
)
from torchwhy.lab.fit_cases import cases_of, held_out
from torchwhy.lab.predictions import load_outcomes
from torchwhy.retrieval.class_statistics import Statistics
from torchwhy.retrieval.compile import trained
from torchwhy.retrieval.discriminant import solve
from torchwhy.retrieval.features import NAMES, NONE_NAMES, FeatureTable, NoneFeatures
from torchwhy.retrieval.matcher import Matcher
from torchwhy.retrieval.store import Store
from torchwhy.retrieval.vectors import Near

WIDE, NONE_WIDE = len(NAMES), len(NONE_NAMES)
RANDOM = np.random.default_rng(3)


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Tensors of a few rows: threads would only wait for one another."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def row(label: str, *also: str, text: str = "x") -> LabelledText:
    return LabelledText(label, frozenset(also), "en", "paste", text)


def evidence(*entries: str, settled: str | None = None) -> FeatureTable:
    return FeatureTable(
        {entry: RANDOM.normal(size=WIDE).tolist() for entry in entries},
        RANDOM.normal(size=NONE_WIDE).tolist(),
        {},
        settled,
    )


ROWS = [row("a"), row("b", "c"), row("none"), row("a"), row("gone"), row("c")]
DATA = [
    evidence("b", "a"),
    evidence("a", "b", "c"),
    evidence("b"),
    evidence("a"),
    evidence("a", "b"),
    evidence("c", "a", "b", "d"),
]
COUNTS = [1.0, 3.0, 0.5, 1.0, 7.0, 2.0]  # the fifth row's entry is no candidate: nothing to learn


def loss(both: np.ndarray) -> float:
    """The weighted mean of -log P(right), and the pull towards zero."""
    w, v = both[:WIDE], both[WIDE:]
    total = weight = 0.0
    for each, own, count in zip(DATA, ROWS, COUNTS, strict=True):
        exps = {entry: math.exp(float(np.dot(w, values))) for entry, values in each.rows.items()}
        exps["none"] = math.exp(float(np.dot(v, each.none)))
        right = sum(value for entry, value in exps.items() if entry in own.right)
        if right:
            total -= count * math.log(right / sum(exps.values()))
            weight += count
    return total / weight + L2 * float(both @ both) / 10


def test_the_weights_are_at_the_minimum() -> None:
    w, v = fit(DATA, ROWS, COUNTS)
    found = np.array(w + v)
    start = np.linalg.norm(approx_fprime(np.zeros_like(found), loss, 1e-6))
    assert np.linalg.norm(approx_fprime(found, loss, 1e-6)) < 1e-3 * start
    for way in RANDOM.normal(size=(20, len(found))):
        assert loss(found + 0.05 * way) > loss(found)


def test_a_text_that_several_entries_fit_is_shared_by_them() -> None:
    known = ["a", "b", "c"]
    assert shares(row("a"), known) == {"a": 1.0}
    assert shares(row("a", "b", "c"), known) == {"a": OWN_SHARE, "b": 0.25, "c": 0.25}
    assert shares(row("gone", "b", "c"), known) == {"b": 0.5, "c": 0.5}
    assert shares(row("none"), []) == {"none": 1.0}
    assert shares(row("gone", "lost"), known) == {}


def test_the_weights_for_words_share_what_several_entries_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "with_elsewhere", lambda *given: given)
    data = [
        FeatureTable(
            {entry: np.eye(WIDE)[at].tolist() for at, entry in enumerate("abc")}, each.none, {}, None
        )
        for each in DATA[:3]
    ]
    zero = [0.0] * WIDE, [0.0] * NONE_WIDE
    w, _ = fit(data, [row("a", "b")] * 3, [1.0] * 3, zero)
    assert w[0] == pytest.approx(w[1], abs=1e-3)
    assert w[2] < w[0]


# folds and predictions


LABELS = [row(f"label{at % 23}") for at in range(69)] + [row("none") for _ in range(40)]


def test_all_rows_of_a_label_share_a_fold() -> None:
    found = folds(LABELS)
    assert (
        len({(each.label, at) for each, at in zip(LABELS, found, strict=True) if each.label != "none"}) == 23
    )
    assert set(found) == set(range(FOLDS))
    assert len({at for each, at in zip(LABELS, found, strict=True) if each.label == "none"}) > 3
    assert folds(LABELS) == found


def test_labels_are_dealt_out_evenly() -> None:
    of = {each.label: at for each, at in zip(LABELS, folds(LABELS), strict=True) if each.label != "none"}
    sizes = [list(of.values()).count(number) for number in range(FOLDS)]
    assert max(sizes) - min(sizes) <= 1


def test_each_row_is_judged_by_weights_that_never_saw_its_label(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[set[str], tuple[float, ...]]] = []

    def spy(
        data: list[FeatureTable], rows: list[LabelledText], weights: list[float]
    ) -> tuple[list[float], list[float]]:
        assert len(data) == len(rows) == len(weights) < len(LABELS)
        seen.append(({each.label for each in rows} - {"none"}, tuple(weights)))
        return [float(len(seen))], []

    monkeypatch.setattr(fitting, "fit", spy)
    parts = cross_validated([evidence()] * len(LABELS), LABELS, [float(at) for at in range(len(LABELS))])
    assert len(seen) == FOLDS
    for at, (part, each) in enumerate(zip(parts, LABELS, strict=True)):
        labels, weights = seen[int(part["weights"][0]) - 1]
        assert each.label not in labels
        assert float(at) not in weights


PART = {"weights": [1.0] + [0.0] * (WIDE - 1), "none": [1.0] + [0.0] * (NONE_WIDE - 1), "temperature": 1.0}


def scored(none: float = 0.0, **scores: float) -> FeatureTable:
    """Evidence whose first feature is the score."""
    rows = {entry: [score] + [0.0] * (WIDE - 1) for entry, score in scores.items()}
    return FeatureTable(rows, [none] + [0.0] * (NONE_WIDE - 1), {}, None)


def test_predictions_by_hand() -> None:
    data = [scored(a=2.0, b=1.0), scored(), scored(5.0, a=2.0)]
    found = predict([PART] * 3, data, 2.0, 0.5)
    p = math.exp(1) / (math.exp(1) + math.exp(0.5) + 1)
    assert found[0] == Outcome(("a", "b"), pytest.approx(p), p >= 0.5)
    assert found[1] == Outcome((), 0.0, False)
    assert not found[2].answered


def test_a_prediction_needs_the_threshold_and_more_than_none() -> None:
    data = [scored(1.0, a=2.0)]
    p = math.e**2 / (math.e**2 + math.e)
    assert predict([PART], data, 1.0, p - 0.01)[0].answered
    assert not predict([PART], data, 1.0, p + 0.01)[0].answered
    assert not predict([PART], [scored(2.5, a=2.0)], 1.0, 0.0)[0].answered
    assert len(predict([PART], [scored(**{f"e{at}": 0.0 for at in range(30)})], 1.0, 0.0)[0].ids) == 20


# what is chosen


def test_the_temperature_has_the_least_calibration_error() -> None:
    data = [scored(a=2.0, b=0.5)] * 3 + [scored(a=0.5, b=2.0)]
    rows = [row("a")] * 4  # three of four are right
    temperature, _ = choose([PART] * 4, data, rows, [1.0] * 4)
    errors = {t / 20: measure(rows, predict([PART] * 4, data, t / 20, 0.0))["ece"] for t in range(10, 41)}
    assert errors[temperature] == min(errors.values())
    assert temperature == pytest.approx(1.0, abs=0.3)
    assert min(errors) == 0.5
    assert max(errors) == 2.0


def test_the_temperature_of_words_shares_what_several_entries_fit() -> None:
    data, rows = [scored(-20.0, a=2.0, b=1.0)] * 4, [row("a", "b")] * 4
    temperature, _ = choose([PART] * 4, data, rows, [1.0] * 4, deviation=cross_entropy)
    assert temperature == 2.0  # both should have the same: as flat as it can be
    temperature, _ = choose([PART] * 4, data, [row("a")] * 4, [1.0] * 4, deviation=cross_entropy)
    assert temperature == 0.5


def thresholds(*cases: tuple[float, str, float]) -> float:
    """The threshold chosen for rows of (score of a, label, weight) at a fixed temperature."""
    data = [scored(a=score) for score, _, _ in cases]
    return choose(
        [PART] * len(cases), data, [row(label) for _, label, _ in cases], [weight for *_, weight in cases]
    )[1]


def test_the_threshold_weighs_wrong_answers_against_right_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "measure", lambda rows, outcomes: {"ece": 0.0})  # the temperature is 0.5
    low, high = (1 / (1 + math.exp(-2 * score)) for score in (0.2, 0.6))  # 0.60, 0.77
    assert low < thresholds((0.2, "none", 1.0), (0.6, "a", 1.0)) <= high  # above the foreign text
    # above the wrong one, in the middle of the steps from 0.60 to 0.76
    assert thresholds((0.2, "b", 1.0), (0.6, "a", 1.0)) == pytest.approx(0.68)
    assert thresholds((0.2, "a", 1.0), (0.6, "a", 1.0)) < low  # all right: everything is answered
    assert thresholds((0.2, "a", 3.0), (0.6, "none", 1.0)) < low  # three right ones outweigh 2 x 1 wrong
    assert high < thresholds((0.2, "a", 1.5), (0.6, "none", 1.0))  # 1.5 do not


def test_a_threshold_stays_unless_another_costs_clearly_less(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "measure", lambda rows, outcomes: {"ece": 0.0})  # the temperature is 0.5
    data = [scored(a=0.2)] * 30 + [scored(a=0.6)] * 30  # probabilities 0.60 and 0.77

    def chosen(wrong: int, present: float) -> float:
        rows = [row("none")] * wrong + [row("a")] * (60 - wrong)
        return choose([PART] * 60, data, rows, [1.0] * 60, present)[1]

    # Refusing those at 0.60 refuses the right ones among them, answering them costs twice the wrong ones.
    assert chosen(10, 0.5) == 0.5  # 20 against 20
    assert chosen(10, 0.7) == 0.7
    assert chosen(20, 0.5) == pytest.approx(0.68)  # 40 against 10
    assert chosen(9, 0.7) == pytest.approx(0.34)  # 21 against 18


# the command


ENTRIES = (
    MEMORY,
    NAN,
    other("shapes", "matrix shapes differ"),
    other("hooks", "hook returns none"),
    other("devices", "devices apart"),
)


class MadeVectors:
    def near(self, texts: list[str]) -> list[Near]:
        return [
            Near({"shapes": [0.5 + ("matrix" in text) / 3, 0.1, 0.1, 0.1, 0.1]}, {"shapes": 0.0}, -1.0)
            for text in texts
        ]


def some_vectors(texts: Sequence[str]) -> np.ndarray:
    return np.stack([np.random.default_rng(sum(map(ord, text))).normal(size=6) for text in texts])


def made_matcher(store: Store, vectors: bool = True) -> Matcher:
    return Matcher(store, (lambda: MadeVectors()) if vectors else (lambda: None))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = open_store(tmp_path, *ENTRIES)
    yield made
    made.db.close()


TEXTS = [
    (
        "gpu-out-of-memory",
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "https://example.org/1",
    ),
    ("loss-is-nan", "a logarithm gave nan", ""),
    ("shapes", "the matrix shapes differ", ""),
    ("hooks", "a hook returns nothing", ""),
    ("devices", "devices apart", ""),
    ("none", "which tea card", "https://example.org/2"),
    ("none", "npm ERR! missing batch", ""),
    ("unknown", "x", ""),
]


@pytest.fixture
def command(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., dict[str, Any] | None]:
    path = tmp_path / "rows.jsonl"
    path.write_text(
        "".join(
            json.dumps({"label": label, "text": text, "source": source}) + "\n"
            for label, text, source in TEXTS
        )
    )
    monkeypatch.setattr(fitting, "open_store", lambda roots: store)
    monkeypatch.setattr(fitting, "open_vectors", lambda store, model: MadeVectors())
    monkeypatch.setattr(fitting, "knowledge_roots", list)
    monkeypatch.setattr(fitting, "find_model", lambda: Model("made", "made", None, False))
    monkeypatch.setattr(fitting, "RANKING", tmp_path / "ranking.json")

    def run(*words: str) -> dict[str, Any] | None:
        monkeypatch.setattr(sys, "argv", ["fit", str(path), *words])
        assert fitting.main() == 0
        return (
            json.loads((tmp_path / "ranking.json").read_text())
            if (tmp_path / "ranking.json").exists()
            else None
        )

    return run


def test_evidences_with_and_without_vectors(store: Store) -> None:
    rows = [row("shapes", text="the matrix")]
    at = NAMES.index("cosine_title")
    assert cases_of(made_matcher(store), rows, False)[0].table.rows["shapes"][at] == 0.0
    assert cases_of(made_matcher(store), rows, True)[0].table.rows["shapes"][at] == pytest.approx(0.5 + 1 / 3)
    with pytest.raises(SystemExit, match="install the model"):
        cases_of(made_matcher(store, vectors=False), rows, True)


def test_a_learnt_question_is_judged_by_classifiers_that_never_saw_it(tmp_path: Path) -> None:
    questions = (
        AskedQuestion(("shapes",), "a zebra in the morning"),
        AskedQuestion(("hooks", "devices"), "a hook at noon"),
    )
    texts = [*(question.text for question in questions), "devices apart"]
    store = open_store(tmp_path, *ENTRIES, questions=questions)
    seen = {}

    class Learning(MadeVectors):
        model = Model("made", "made", None, False)
        discriminant: Any = "the whole"

        def near(self, texts: list[str]) -> list[Near]:
            seen[texts[0]] = (store.bayes.scores(texts[0]), self.discriminant)
            return super().near(texts)

    opened = Learning()
    matcher, whole = Matcher(store, lambda: opened), store.bayes
    found = held_out(matcher, [row("shapes", text=text) for text in texts], some_vectors)

    assert [case.paste.text for case in found] == texts
    assert (store.bayes, opened.discriminant) == (whole, "the whole")
    pairs = [(entry, text) for _, entry, _, _, text in store.passages()]
    statistics = Statistics.of(some_vectors([text for _, text in pairs]), [entry for entry, _ in pairs])
    for own, other_one in (questions, questions[::-1]):
        scores, of = seen[own.text]
        assert scores == trained(pairs, [other_one]).scores(own.text) != whole.scores(own.text)
        learnt = statistics.with_questions(some_vectors([other_one.text]), [other_one.entries])
        np.testing.assert_allclose(of.weights, solve(learnt))
    assert seen["devices apart"] == (whole.scores("devices apart"), "the whole")


def test_the_command_writes_what_a_ranking_reads(
    command: Callable[..., dict[str, Any] | None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[list[float]] = []
    real = fitting.fit
    monkeypatch.setattr(
        fitting,
        "fit",
        lambda data, rows, weights, towards=None: (given.append(list(weights)), real(data, rows, weights))[1],
    )
    found = command()
    assert found is not None
    assert found["features"] == list(NAMES)
    assert [len(found[name]["weights"]) for name in ("quick", "full")] == [WIDE, WIDE]
    assert [len(found[name]["none"]) for name in ("quick", "full")] == [NONE_WIDE, NONE_WIDE]
    assert found["fitted_on"]["rows"] == "7"  # the unknown label is left out
    assert set(found["fitted_on"]["entries"]) == {entry.id for entry in ENTRIES}
    # a page counts three times, and those that no entry answers a quarter of all
    assert given[-1] == pytest.approx([3.0, 1.0, 1.0, 1.0, 1.0, 3.0 * 7 / 12, 7 / 12])
    assert "words" not in found["full"]  # there are too few in either language
    said = capsys.readouterr().out
    assert "quick: temperature" in said
    assert "full: temperature" in said
    assert "none: bias" in said


def test_what_judges_without_vectors_stays_until_it_is_asked_for(
    command: Callable[..., dict[str, Any] | None], tmp_path: Path
) -> None:
    first = command()
    assert first is not None
    kept = {**first["quick"], "weights": [0.25, *first["quick"]["weights"][1:]]}

    def after(before: dict[str, Any], *words: str) -> Any:
        (tmp_path / "ranking.json").write_text(json.dumps(before))
        again = command(*words)
        assert again is not None
        return again["quick"]["weights"]

    assert after({**first, "quick": kept}) == kept["weights"]
    assert after({**first, "quick": kept}, "--quick") == first["quick"]["weights"]
    other = {**first, "features": [*NAMES[1:], "gone"], "quick": kept}  # of another release
    assert after(other) == first["quick"]["weights"]


def test_an_answered_question_stands_beside_the_same_asked_of_other_software() -> None:
    none = NoneFeatures(bias=1.0)
    data = [FeatureTable({}, none._replace(foreign=own), {}, None) for own in (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)]
    rows = [row("a"), row("a"), row("none"), row("b"), row("b"), row("b")]
    tables, labels, weights = with_elsewhere(data, rows, [2.0] * 6)
    assert [each.label for each in labels[6:]] == ["none", "none"]  # of the first and the fifth
    assert [table.none.foreign for table in tables[6:]] == [1.0, 1.0]
    assert weights[6:] == pytest.approx([2 * ELSEWHERE_WEIGHT] * 2)
    assert [*labels[:6]] == rows


def test_a_dry_run_writes_nothing_but_predictions(
    command: Callable[..., dict[str, Any] | None], tmp_path: Path
) -> None:
    assert command("--dry-run", "--predictions", str(tmp_path / "out.jsonl")) is None
    rows = [row(label, text=text) for label, text, _ in TEXTS if label != "unknown"]
    kept = load_outcomes(tmp_path / "out.jsonl", rows)
    assert kept[0].ids[0] == "gpu-out-of-memory"  # its signature settles it
    assert kept[0].answered
