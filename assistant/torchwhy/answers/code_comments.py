"""The comments in a change's code, in Chinese: code is written once, in English."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path

BEFORE_COMMENT = re.compile(r"(.*   |^)# ")  # behind code stand three spaces or more


def commented(code: str) -> str:
    """The code with its comments in Chinese, as far as code_comments.json has them."""
    return "\n".join(map(_line, code.split("\n")))


def _line(line: str) -> str:
    before = BEFORE_COMMENT.match(line)
    comment = line[before.end() :] if before else ""
    return line.removesuffix(comment) + comments().get(comment, comment)


@lru_cache(maxsize=1)
def comments() -> dict[str, str]:
    """{a comment of a template, names in braces included: the same in Chinese}."""
    text = Path(__file__).with_name("code_comments.json").read_text("utf-8")
    return dict(json.loads(text))
