"""Chinese in lines of cells: every line full, none beginning with a comma; everything else as rich does it."""

from __future__ import annotations

import io
import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich import _wrap
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tests.conftest import ROOT
from torchwhy.text.cjk import CLOSING, OPENING, joined, words

RICH = _wrap.words
LETTERS = st.text(st.sampled_from("ab( ).,\n`\t 中文张量" + OPENING + CLOSING))


@given(LETTERS)
def test_nothing_is_lost(text: str) -> None:
    pieces = list(words(text))
    assert [start for start, _, _ in pieces] == ([0] + [end for _, end, _ in pieces])[: len(pieces)]
    assert "".join(piece for _, _, piece in pieces) == (text if text.strip() else "")


@given(st.text(st.characters(max_codepoint=0x2FF)))
def test_other_scripts_are_wrapped_as_by_rich(text: str) -> None:
    assert list(words(text)) == list(RICH(text))


def lines(text: str, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(_wrap, "words", words)
    return [line.plain for line in Text(text).wrap(Console(width=width, file=io.StringIO()), width)]


@pytest.mark.parametrize("width", [24, 37, 78])
def test_lines_are_full_and_begin_well(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "反向传播会用到前向传播保存下来的中间结果；backward()（以及 torch.autograd.grad）一边走一边把它们释放掉，所以“同一张”计算图只能走一次。"
        * 4
    )
    shown = lines(text, width, monkeypatch)
    assert "".join(shown).replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(line.rstrip()) <= width for line in shown)
    assert not [line for line in shown if line[0] in CLOSING] and not [
        line for line in shown if line.rstrip()[-1] in OPENING
    ]
    for line, below in itertools.pairwise(shown):
        piece = next(iter(words(below)))[2].rstrip()
        assert cell_len(line + piece) > width, "what the next line begins with had no room on this one"


def test_a_line_of_megabytes_takes_seconds() -> None:
    text = "中文x，" * 300_000
    started = time.process_time()
    assert sum(1 for _ in words(text)) > 600_000
    assert time.process_time() - started < 20  # quadratic would be hours


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("第一行，\n第二行", "第一行，第二行"),
        ("张量\n的形状", "张量的形状"),
        ("说明。\nNone 的", "说明。None 的"),
        ("用 detach\n切断", "用 detach\n切断"),
        ("一。\n\n二", "一。\n\n二"),
        ("- 一，\n  还是一\n- 二", "- 一，还是一\n- 二"),
        ("看：\n- 一\n1. 二", "看：\n- 一\n1. 二"),
        ("看：\n```py\n# 一。\n二\n```\n三，\n四", "看：\n```py\n# 一。\n二\n```\n三，四"),
        ("one,\ntwo", "one,\ntwo"),
    ],
)
def test_an_authors_line_breaks(written: str, shown: str) -> None:
    assert joined(written) == shown


def test_joining_changes_line_breaks_alone() -> None:
    """On every text of the knowledge base: the same blocks, in the same order."""
    import yaml
    from markdown_it import MarkdownIt

    for file in sorted((ROOT / "kb").glob("[!_]*/*/pitfall.yaml")):
        entry = yaml.load(file.read_text("utf-8"), yaml.CSafeLoader)
        for field in ("cause", "fix", "check"):
            text = entry[field]["zh"]
            before, after = (
                [
                    (token.type, token.content.replace("\n", "").replace(" ", ""))
                    for token in MarkdownIt().parse(each)
                ]
                for each in (text, joined(text))
            )
            assert before == after, (file.parent.name, field)
