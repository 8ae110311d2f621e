"""Terms and placeholders. Oracle: the rules of the docstrings, an example each, and properties."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchwhy.retrieval.glossary import terms, translate
from torchwhy.retrieval.tokens import (
    all_tokens,
    for_meaning,
    placeholders,
    stem,
    tokens,
)


@pytest.mark.parametrize(
    "meeting",
    [
        ["freeze", "freezes", "freezing"],
        ["tensor", "tensors"],
        ["copy", "copies", "copied"],
        ["run", "runs", "running"],
        ["crash", "crashes", "crashed", "crashing"],
        ["load", "loads", "loaded", "loading"],
        ["step", "steps", "stepped", "stepping"],
        ["slow", "slowly"],
        ["surprise", "surprisingly", "surprised"],
        ["repeat", "repeated", "repeatedly"],
        ["gradient", "gradients"],
        ["size", "sizes", "sized"],
    ],
)
def test_forms_of_a_word_meet(meeting: list[str]) -> None:
    assert len({stem(word) for word in meeting}) == 1


@pytest.mark.parametrize(
    ("word", "wanted"),
    [
        ("ing", "ing"),
        ("sing", "sing"),
        ("bus", "bus"),
        ("nan", "nan"),
        ("is", "is"),  # three letters stay at least
        ("adding", "add"),  # a double letter is made single only in words of four or more
        ("planned", "plan"),
        ("calling", "call"),
        ("passed", "pass"),
        ("off", "off"),
        ("ties", "tie"),
        ("queries", "query"),
    ],
)
def test_what_is_cut(word: str, wanted: str) -> None:
    assert stem(word) == wanted


@settings(max_examples=100)
@given(st.text("abcdefgilnsy", min_size=1, max_size=12))
def test_a_stem_is_never_empty_nor_longer(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word)
    assert len(stem(word)) >= min(3, len(word))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("size 12", "size N"),
        ("-1.5e-3 and +7", "N and N"),
        ("1,024 MiB", "N MiB"),
        ("version 2.13.0", "version N"),
        ("conv2d of x1", "conv2d of x1"),  # a digit of a name
        ("[3, 4] and (1, 2,) and 3x224x224", "SHAPE and SHAPE and SHAPE"),
        ("[7]", "SHAPE"),
        ("f(7)", "f(N)"),
        ("[2 x 3]", "SHAPE"),
        ("at 0xDEADbeef", "at ADDR"),
        ("see https://example.org/a/b?c=1 now", "see now"),
        ("in /usr/lib/python3/site.py", "in PATH"),
        (r"in C:\Users\me\run.py", "in PATH"),
        ("in src/torch/nn.py:12", "in PATH :N"),
        ("and/or", "and/or"),  # two words
        (" a\n\tb ", "a b"),
        ("", ""),
    ],
)
def test_placeholders(text: str, wanted: str) -> None:
    assert placeholders(text) == wanted


@settings(max_examples=100)
@given(st.text("abAB012 .,-[](x)/:\n显存", max_size=40))
def test_white_space_is_single_and_numbers_stand_alone_no_more(text: str) -> None:
    found = placeholders(text)
    assert found == " ".join(found.split())
    assert not any(word.isdigit() for word in found.split())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the Tensors of my model", ["tensor", "model"]),
        ("zero_grad", ["zero_grad", "zero", "grad"]),
        ("DataLoader", ["dataloader", "data", "loader"]),
        ("BatchNorm", ["batchnorm", "batch", "norm"]),
        ("CUDA_HOME", ["cuda_home", "cuda", "hom"]),
        ("RuntimeError", []),  # it stands in nearly every paste
        ("conv2d", ["conv2d", "conv"]),
        ("is_the_x", ["is_the_x"]),  # parts that are stop words or single letters
        ("12 [3, 4] 0xff", []),
        ("显存不足", ["显存", "存不", "不足"]),
        ("卡", ["卡"]),
        ("用torch训练", ["用", "torch", "训练"]),
    ],
)
def test_tokens(text: str, wanted: list[str]) -> None:
    assert list(tokens(text)) == wanted


def test_chinese_brings_its_english_terms() -> None:
    assert all_tokens("显存不足") == ["显存", "存不", "不足", "cuda", "memory"]
    assert all_tokens("out of memory") == list(tokens("out of memory"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Got 12 at 0xff", "Got N at address"),
        ("[3, 4] in /a/b/c.py", "shape in path"),
        ("梯度爆炸", "梯度爆炸 exploding gradients"),
        ("x" * 2000, "x" * 1500),
        ("显" * 2000, "显" * 1500),
        ("显存" * 1000, "显存" * 750),
    ],
)
def test_what_the_encoder_reads(text: str, wanted: str) -> None:
    assert for_meaning(text) == wanted


# the glossary


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("no Chinese", ""),
        ("显存不足", "cuda out of memory"),  # the longest term, not that of its parts
        ("我的torch模型，很慢。怎么办？", "torch model very slow"),
        ("训练 loss", "training loss"),
        ("哦", ""),
    ],
)
def test_translation(text: str, wanted: str) -> None:
    assert translate(text) == wanted


def test_every_term_is_found_whole() -> None:
    assert {term: translate(term) for term in terms()} == terms()
