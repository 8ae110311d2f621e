"""Chinese in lines of cells. rich (which textual wraps by) breaks at spaces alone, so that a Chinese sentence is one long word,
and Markdown reads an author's line break as a space, which Chinese does not have between its characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

OPENING = "（《「『【〈〔“‘"  # no line ends with one of these
CLOSING = "，。、；：？！）》」』】〉〕”’…—·～％"  # and none begins with one of these
# East Asian letters and full-width forms; each may stand at the end of a line.
WIDE = "\u2e80-\u3029\u3030-\u30ff\u3130-\u318f\u31a0-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
UNIT = re.compile(rf"\s*[{OPENING}]*(?:(?![{OPENING}{CLOSING}])[{WIDE}]|[^\s{WIDE}]+)?[{CLOSING}]*\s*", re.DOTALL)
FENCE = re.compile(r"(^ *(?:```|~~~).*?^ *(?:```|~~~) *$)", re.MULTILINE | re.DOTALL)
# Between two characters of Chinese, and behind its full stops and commas; not before a new item, heading, quotation or row.
BREAK = re.compile(rf"(?:(?<=[{WIDE}{CLOSING}])\n *(?=[{WIDE}{OPENING}])|(?<=[，。、；：？！）])\n *(?=[^\s\-*#>|\d`]))")


def words(text: str) -> Iterable[tuple[int, int, str]]:
    """(start, end, piece) of what may not be broken, each with the spaces around it: as rich._wrap.words, for Chinese too."""
    at, stop = 0, len(text.rstrip())
    while at < stop:
        found = UNIT.match(text, at)
        end = found.end() if found and found.end() > at else at + 1
        yield at, end, text[at:end]
        at = end


def install() -> None:
    """Let rich and textual break lines so; neither has another way to say it."""
    from rich import _wrap

    _wrap.words = words


def joined(markdown: str) -> str:
    """Markdown without the line breaks that would show as spaces inside Chinese sentences. Code stays as it is."""
    return "".join(part if at % 2 else BREAK.sub("", part) for at, part in enumerate(FENCE.split(markdown)))
