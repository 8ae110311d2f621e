"""Chinese in the lines of a terminal.

rich (by which textual wraps) breaks lines at spaces alone, so a Chinese sentence is one long word to it; and
Markdown reads an author's line break as a space, which Chinese does not have between its characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .lazy_re import lazy_compile

OPENING = "（《「『【〈〔“‘"  # no line ends with one of these
CLOSING = "，。、；：？！）》」』】〉〕”’…—·～％"  # and none begins with one of these
# East Asian letters and full-width forms; each may stand at the end of a line.
WIDE = (
    "\u2e80-\u3029\u3030-\u30ff\u3130-\u318f\u31a0-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
)
UNIT = lazy_compile(
    rf"\s*[{OPENING}]*(?:(?![{OPENING}{CLOSING}])[{WIDE}]|[^\s{WIDE}]+)?[{CLOSING}]*\s*", re.DOTALL
)
ASCII_UNIT = lazy_compile(r"\s*\S+\s*")  # the same, compiled in a hundredth of the time
FENCE = lazy_compile(r"(^ *(?:```|~~~).*?^ *(?:```|~~~) *$)", re.MULTILINE | re.DOTALL)
# Between two characters of Chinese, and behind its full stops and commas; not before a new item, heading,
# quotation or row.
BREAK = lazy_compile(
    rf"(?:(?<=[{WIDE}{CLOSING}])\n *(?=[{WIDE}{OPENING}])|(?<=[，。、；：？！）])\n *(?=[^\s\-*#>|\d`]))"
)


def words(text: str) -> Iterable[tuple[int, int, str]]:
    """(start, end, piece) of what may not be broken, with the spaces around it, as rich._wrap.words."""
    start, stop = 0, len(text.rstrip())
    pattern = ASCII_UNIT if text.isascii() else UNIT
    while start < stop:
        unit = pattern.match(text, start)
        end = unit.end() if unit and unit.end() > start else start + 1
        yield start, end, text[start:end]
        start = end


def patch_rich_wrapping() -> None:
    """Replace rich's private function that says where a line may break, for the whole process.

    rich and textual have no setting for it. `tests/fixtures/patches.txt` lists this with every other patch.
    """
    from rich import _wrap

    _wrap.words = words


def joined(markdown: str) -> str:
    """Markdown without the line breaks that would show as spaces inside Chinese sentences.

    Code stays as it is.
    """
    return "".join(part if at % 2 else BREAK.sub("", part) for at, part in enumerate(FENCE.split(markdown)))
