"""How wide a text is on a terminal, and its lines at a width.

Without rich, which a plain question does not import.
"""

from __future__ import annotations

import re
import unicodedata

from .cjk import words

MIN_WIDTH = 2  # one wide character; a terminal that tells no size says 0


def width_of(text: str) -> int:
    """Columns that a text takes: two for a wide character, none for one that combines."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a paragraph; a word that is longer than a line is broken."""
    width = max(width, MIN_WIDTH)
    lines: list[str] = []
    line = ""
    for _, _, word in words(" ".join(text.split())):
        if line and width_of(line + word.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += word
        while width_of(line.rstrip()) > width:
            head = cut(line, width)
            lines.append(head)
            line = line[len(head) :]
    return [*lines, line.rstrip()] if line.strip() else lines


def cut(text: str, width: int) -> str:
    """The beginning of a text that takes no more than so many columns."""
    taken = 0
    for at, each in enumerate(text):
        taken += width_of(each)
        if taken > width:
            return text[:at]
    return text


def shortened(text: str, width: int) -> str:
    """The text, or its beginning with an ellipsis."""
    return text if width_of(text) <= width else cut(text, width - 1) + "…"


def first_sentence(text: str) -> str:
    """The first sentence of a text that ends as one; "" where what comes first leads on to a list or to
    code.
    """
    plain = re.sub(r"```.*?(?:```|\Z)", "\n\n", text, flags=re.DOTALL).strip().split("\n\n")[0]
    plain = " ".join(plain.split())
    end = re.search(r"[.!?](?=\s+[A-Z`\"'(]|$)|[。！？]", _without_spans(plain))
    return plain[: end.end()] if end else ""


def _without_spans(text: str) -> str:
    """The text with its code spans blanked: a full stop inside one ends no sentence."""
    return re.sub(r"`[^`]*`", lambda found: "x" * len(found[0]), text)
