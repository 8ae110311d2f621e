"""Any text is a text: nothing that acts on a terminal, hides, or cannot be encoded is left."""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchwhy.text.markup import fence, inside_span, one_line, quoted, span
from torchwhy.text.plain import escaped, harmless, plain

# every kind of character that must not get through, and pieces of escapes
NASTY = st.text(
    st.sampled_from(
        "ab \n\r\t\x1b[]m0;?\\\x07\x00\x7f\x90\x9b\x9dPX^_\u200b\u061c\u202e\ud83d\ude00\ud800\udc80\ufe0f\U000e0041`'’<>*#|"
    ),
    max_size=60,
)
ANY = st.text(st.characters(), max_size=40) | NASTY  # with surrogates


def bad(text: str) -> set[str]:
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - set("\n\r\t")


@given(ANY)
@settings(max_examples=600, deadline=None)
def test_nothing_that_acts_or_hides_is_left(text: str) -> None:
    for clean in (harmless, plain):
        out = clean(text)
        assert not bad(out)
        assert clean(out) == out
        out.encode()


@given(ANY)
@settings(max_examples=300, deadline=None)
def test_a_name_is_one_printable_line(name: str) -> None:
    out = escaped(name)
    assert not bad(out)
    assert "\n" not in out and "\r" not in out
    out.encode()


@given(ANY)
@settings(max_examples=300, deadline=None)
def test_quoting_never_raises_and_stays_one_line(text: str) -> None:
    for quote in (span, quoted, inside_span):
        assert "\n" not in quote(harmless(text))
    assert one_line(harmless(text), 20) == one_line(one_line(harmless(text), 20), 20)
    body = harmless(text)
    ticks = fence(body).split("text", 1)[0]
    assert ticks not in body


def test_every_character_that_unicode_calls_a_format_is_taken_out() -> None:
    left = [
        f"U+{code:04X}"
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cf", "Zl", "Zp") and harmless(f"a{chr(code)}b") != "ab"
    ]
    assert left == []


@pytest.mark.parametrize(
    "text", ["显存不足：CUDA out of memory。", "naïve café", "👩 👍🏽 ✓ →", "한국어 日本語 ไทย", "a\tb\nc"]
)
def test_words_stay(text: str) -> None:
    assert plain(text) == text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a\x1b]0;never closed\nRuntimeError: x", "a\nRuntimeError: x"),
        ("a\x1bPnever closed\nRuntimeError: x", "a\nRuntimeError: x"),
        ("\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"),
        ("a\r\r\nb\r\nc\rd", "a\nb\nc\rd"),
        ("\ud83d\ude00 \ud800", "😀 \ufffd"),
        ("pass\u00adword", "password"),
    ],
)
def test_what_is_left(text: str, wanted: str) -> None:
    assert plain(text) == wanted


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("a\x1b[31mb.txt", "a\\x1b[31mb.txt"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("a\u061cb\u202ec", "a\\u061cb\\u202ec"),
        ("\udcff\ud800", "\\xff\\ud800"),
        ("日志 1.txt", "日志 1.txt"),
        ("C:\\logs\\x.txt", "C:\\logs\\x.txt"),
        (Path("/x/y.log"), str(Path("/x/y.log"))),
    ],
)
def test_names_are_shown_escaped(name: str | Path, wanted: str) -> None:
    assert escaped(name) == wanted
