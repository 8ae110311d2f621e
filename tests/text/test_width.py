"""Lines of a terminal without rich."""

from __future__ import annotations

import ast
import re

import pytest

from torchwhy import Assistant
from torchwhy.text.width import cut, first_sentence, folded, shortened, width_of, wrapped


def test_wide_characters_take_two_columns() -> None:
    assert (width_of("abc"), width_of("形状"), width_of("a形")) == (3, 4, 3)
    assert cut("形状不同", 5) == "形状"
    assert shortened("形状不同", 5) == "形状…"
    assert shortened("fits", 4) == "fits"


@pytest.mark.parametrize(
    "text", ["one two three four five six", "该层每行要 2048 个数，传进来的是 1568 个。", "x" * 50]
)
@pytest.mark.parametrize("width", [0, 1, 10, 20])
def test_wrapping_keeps_every_character_and_the_width(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert all(width_of(line) <= max(width, 2) for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Print `x.shape` first. Then go on.", "Print `x.shape` first."),
        ("Directly before this line:\n\n```python\nx\n```\nMore.", ""),
        ("先打印形状。再继续。", "先打印形状。"),
        ("A call of `a. B` is no end. Next.", "A call of `a. B` is no end."),
        ("no end", ""),
    ],
)
def test_the_first_sentence_is_whole_or_nothing(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


def test_folded_code_is_the_same_program(real: Assistant) -> None:
    """Of every change in the knowledge base, at the width of a first screen."""
    folded_lines = 0
    for entry in real.pitfalls.values():
        changes = [*entry.change, *(change for each in entry.signatures for change in each.change)]
        for change in changes:
            code = re.sub(r"\{\w+\}", "3", change.code or "")
            try:
                whole = ast.dump(ast.parse(code))
            except SyntaxError:
                continue
            lines = [part for line in code.splitlines() for part in folded(line, 72)]
            assert all(width_of(line) <= 72 for line in lines)
            try:
                assert ast.dump(ast.parse("\n".join(lines))) == whole, code
            except SyntaxError:  # where Python lets no line end
                assert "".join("".join(lines).split()) == "".join(code.split())
            folded_lines += len(lines) - len(code.splitlines())
    assert folded_lines > 20
