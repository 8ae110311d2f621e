"""Foreign text inside Markdown: in code spans and fences that it cannot leave, or as it is where it holds no
markup. Pure functions.
"""

from __future__ import annotations

import re

from .lazy_re import lazy_compile

MARKUP = lazy_compile(r"[\[\]<>*`#|~\\]|://|(?<!\w)_|_(?!\w)")


def span(text: str, limit: int = 300) -> str:
    """One line of foreign text as a code span that it cannot leave."""
    text = one_line(text, limit)
    ticks = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def fence(text: str, info: str = "text") -> str:
    ticks = "`" * max(3, max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    return f"{ticks}{info}\n{text.rstrip()}\n{ticks}"


def quoted(text: str, limit: int = 60) -> str:
    """Foreign words inside a sentence: as they are where nothing in them is markup, else as a code span."""
    text = one_line(text, limit)
    return span(text, limit) if MARKUP.search(text) else text


def inside_span(text: str, limit: int = 300) -> str:
    """Foreign text for the inside of a code span of single backticks."""
    return one_line(text, limit).replace("`", "'")


def one_line(text: str, limit: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
