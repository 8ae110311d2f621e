"""The comments in a change's code, in Chinese: code is written once, in English."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

MARK = "   # "


def commented(code: str) -> str:
    """The code with its comments in Chinese, as far as code_comments.json has them."""
    return "\n".join(map(_line, code.split("\n")))


def _line(line: str) -> str:
    written, mark, comment = line.rpartition(MARK)
    return f"{written}{mark}{comments()[comment]}" if mark and comment in comments() else line


@lru_cache(maxsize=1)
def comments() -> dict[str, str]:
    """{a comment of a template, names in braces included: the same in Chinese}."""
    text = Path(__file__).with_name("code_comments.json").read_text("utf-8")
    return dict(json.loads(text))
