"""Whether a message was cut when it was pasted: then what is not in it may still have been said."""

from __future__ import annotations

import re

from torchwhy.text.lazy_re import lazy_compile

from .conditions import CUT

# A line that ends in dots, a list that goes on in dots or ends in a comma, a word that says so.
MARK = lazy_compile(
    r"(?:\.{3}|…)[\"'\s,;:)\]]*$|,\s*(?:\.{3}|…)|,\s*\Z|[\[(<]\s*(?:\.{3}|…)\s*[\w\])>]"
    r"|[\[(<][^\])>\n]{0,40}\b(?:truncated|snip|omitted)\b|省略",
    re.IGNORECASE | re.MULTILINE,
)
BLANK_LINE = lazy_compile(r"\n[ \t]*\n")
MAX_CHARS = 20_000  # of a message, what is looked at


def state_of(text: str, start: int, example: str = "") -> dict[str, str]:
    """What a condition may ask of the message that begins at `start`, beside its groups: {CUT: "yes"} where a
    list in it, its end or a quotation was cut off. Dots that the wording's own `example` has are no cut.
    """
    message = BLANK_LINE.split(text[start : start + MAX_CHARS], 1)[0].rstrip()
    before = text[max(text.rfind("\n", 0, start) + 1, start - MAX_CHARS) : start]  # who quotes it opens there
    opened = (before + message).count('"') % 2
    marked = MARK.search(message) and not MARK.search(example)
    return {CUT: "yes"} if marked or opened else {}
