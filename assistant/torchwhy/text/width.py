"""How wide a text is on a terminal, and its lines at a width.

Without rich, which a plain question does not import.
"""

from __future__ import annotations

import re
import unicodedata

from .cjk import words
from .lazy_re import lazy_compile

_SENTENCE_END = lazy_compile(r"[.!?](?=\s+[A-Z`\"'(]|$)|[。！？]")
LEAST_SIGHT = 45  # columns of what decides, from which a sentence tells it

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


def folded(code: str, width: int) -> list[str]:
    """A line of Python as lines of at most so many columns.

    Its comment stands in lines of its own; its code is broken where Python lets a line end, in brackets
    behind a comma or in front of `for`, the outermost ones first; else anywhere.
    """
    if width_of(code) <= width:
        return [code]
    body, mark, comment = code.partition("   # ")
    if mark and body.count('"') % 2 == 0 and body.count("'") % 2 == 0:
        return [*folded(body, width), *(f"# {line}" for line in wrapped(comment, width - 2))]
    indent = " " * min(len(code) - len(code.lstrip()) + 4, width // 2)
    places = [each for each in _breaks(code) if width_of(code[: each[2]].rstrip()) <= width]
    places = [each for each in places if each[2] > len(indent)]
    whole = cut(code, width)
    at = whole.rfind(" ") + 1
    if places:
        at = min(places, key=lambda each: (each[0], each[1], -each[2]))[2]
    elif at <= len(indent):
        at = len(whole)
    return [code[:at].rstrip(), *folded(indent + code[at:].lstrip(), width)]


def _breaks(code: str) -> list[tuple[int, bool, int]]:
    """Where a line of Python may end: how many brackets are open, whether it is at a comma, the offset of
    what would begin the next line.
    """
    quote, depth = "", 0
    places: list[tuple[int, bool, int]] = []
    for at, each in enumerate(code):
        if quote:
            quote = "" if each == quote else quote
        elif each in "\"'":
            quote = each
        elif each in "([{":
            depth += 1
        elif each in ")]}":
            depth -= 1
        elif depth > 0 and each == " " and (code[at - 1] == "," or code.startswith(" for ", at)):
            places.append((depth, code[at - 1] == ",", at + 1))
    return places


def first_sentence(text: str, least: int = 0) -> str:
    """The first sentence of a text that ends as one, and those behind it up to `least` columns, since a short
    one points at what comes next; "" where what comes first leads on to a list or to code.
    """
    plain = re.sub(r"```.*?(?:```|\Z)", "\n\n", text, flags=re.DOTALL).strip().split("\n\n")[0]
    plain = " ".join(plain.split())
    said = ""
    for end in _SENTENCE_END.finditer(_without_spans(plain)):
        said = plain[: end.end()]
        if width_of(said) >= least:
            break
    return said


def _without_spans(text: str) -> str:
    """The text with its code spans blanked: a full stop inside one ends no sentence."""
    return re.sub(r"`[^`]*`", lambda found: "x" * len(found[0]), text)
