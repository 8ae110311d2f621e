"""How a question sounds. Oracles: terms by hand, the logit written out, and two kinds of text told apart."""

from __future__ import annotations

import math

import pytest

from torchwhy.lab.evaluate import LabelledText
from torchwhy.lab.fit_tone import calms, fit_tone, tones
from torchwhy.retrieval.tone import calmness, innocence, others, terms


def test_words_stand_with_their_neighbours_and_chinese_characters_in_threes() -> None:
    assert terms("How do I?") == {"^", "how", "do", "i", "^ how", "how do", "do i"}
    assert terms("loss 1.5") == {"^", "loss", "0", "^ loss", "loss 0"}
    assert {"怎 么", "怎 么 用"} <= terms("怎么用")
    assert "怎" not in terms("怎么用")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Keras: the loss is nan, keras-yolo3 too", {"keras"}),
        ("换成tf1以后loss变nan，飞桨也是", {"tf1", "飞桨"}),
        ("llama.cpp is slow", {"llama.cpp"}),
        ("ported from Keras to PyTorch, the loss is nan", set()),
        ("the hotf and the javanese corpus", set()),
    ],
)
def test_software_is_named_in_torchs_place_where_torch_is_not(text: str, names: set[str]) -> None:
    assert others(text) == names


def test_the_logit_is_the_bias_and_the_terms_over_the_root_of_their_number() -> None:
    tone = {"bias": 0.6, "terms": {"how": 3.0, "do": 1.0, "hangs": -30.0}}
    assert innocence({"how", "do", "unknown"}, tone) == pytest.approx((0.6 + 4.0 / math.sqrt(2)) / 3)
    assert innocence({"hangs"}, tone) == -2.0  # bounded
    assert innocence({"unknown"}, tone) == innocence({"how"}, {}) == 0.0


def test_a_vector_is_weighed_by_weights_of_its_own_length_alone() -> None:
    tone = {"vector_bias": 0.5, "vector": (2.0, -1.0)}
    assert calmness((1.0, 0.25), tone) == pytest.approx((0.5 + 2.0 - 0.25) / 3)
    assert calmness((90.0, 0.0), tone) == 2.0  # bounded
    assert calmness((1.0,), tone) == calmness((), {}) == calmness((1.0, 0.25), {}) == 0.0


def row(text: str, label: str) -> LabelledText:
    return LabelledText(label, frozenset(), "en", "question", text)


ROWS = [
    row(text, label)
    for noun in ("model", "loader", "loss", "trainer", "optimizer", "gpu")
    for text, label in ((f"how do i use a {noun}", "none"), (f"my {noun} hangs again", "a"))
]


def test_what_is_fitted_tells_the_two_apart_and_knows_no_row_s_own_fold() -> None:
    fold = [at // 2 for at in range(len(ROWS))]  # a noun each: what is said of it was learnt from the others
    found, said = tones(ROWS, [1.0] * len(ROWS), fold)
    assert found["terms"]["how"] > 0 > found["terms"]["hangs"]
    assert not {"model", "gpu"} & found["terms"].keys()  # they stand in too few texts
    assert all((value > 0) == (each.label == "none") for value, each in zip(said, ROWS, strict=True))


def test_of_vectors_too_what_is_said_of_a_row_was_learnt_from_the_others() -> None:
    fold = [at // 2 for at in range(len(ROWS))]
    vectors = [(float(each.label == "none"), 1.0) for each in ROWS]
    found, said = calms(vectors, ROWS, [1.0] * len(ROWS), fold)
    assert found["vector"][0] > 0
    assert all((value > 0) == (each.label == "none") for value, each in zip(said, ROWS, strict=True))
    alone = [0] * len(ROWS)  # without its fold nothing is left
    assert calms(vectors, ROWS, [1.0] * len(ROWS), alone)[1] == [0.0] * len(ROWS)


def test_of_one_kind_alone_nothing_is_fitted() -> None:
    assert fit_tone(ROWS[::2], [1.0] * len(ROWS)) == {}
    assert fit_tone([row("once", "none"), row("twice", "a")], [1.0, 1.0]) == {}
