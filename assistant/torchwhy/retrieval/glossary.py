"""The field's Chinese terms and their English ones. The default encoder reads English well and Chinese
hardly: a Chinese question is searched by its characters *and* by the English terms of glossary.txt.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from torchwhy.text.language import HAN

TERMS = Path(__file__).with_name("glossary.txt")  # a line each: the Chinese term, a space, the English ones


@cache
def terms() -> dict[str, str]:
    """The English terms of each Chinese one. A text without Chinese does not wait for them."""
    rows = (line.partition(" ") for line in TERMS.read_text("utf-8").splitlines())
    return {chinese: english for chinese, _, english in rows}


@cache
def _any_term() -> re.Pattern[str]:
    """Any term, the longer ones first."""
    return re.compile("|".join(sorted(map(re.escape, terms()), key=len, reverse=True)))


def translate(text: str) -> str:
    """The English terms for the Chinese ones in `text`, in order, with its Latin words kept; "" without
    Chinese.
    """
    if text.isascii() or not HAN.search(text):
        return ""
    known = terms()
    words = _any_term().sub(lambda found: f" {known[found[0]]} ", text)
    return " ".join(HAN.sub(" ", words).replace("，", " ").replace("。", " ").replace("？", " ").split())
