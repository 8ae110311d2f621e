"""Two messages aligned: what was pasted above what this machine printed, with marks under what differs. Pure
functions.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

ROW_COLUMNS = 64  # columns of a row: with its sign it fits the chat at 80 columns
MAX_MESSAGE_CHARS = 1500  # of a message that is compared
TOKEN = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+|_+|\s+|.")
UNIT = re.compile(r"(?:[KMGT]i?)?B|[kMG]?bytes?|\d+(?:\.\d+)*")

Relation = Literal["identical", "numbers", "words"]


@dataclass(frozen=True, slots=True)
class Aligned:
    """Two messages. `rows` are (pasted, here, marks), of equal width and at most ROW_COLUMNS columns.

    `relation`: the messages are identical, differ in numbers (and their units) alone, or in words too.
    """

    relation: Relation
    rows: tuple[tuple[str, str, str], ...]


def align(pasted: str, here: str) -> Aligned:
    """Lay two messages over one another, word by word."""
    left, right = (TOKEN.findall(" ".join(text[:MAX_MESSAGE_CHARS].split())) for text in (pasted, here))
    if left == right:
        return Aligned("identical", ())
    relation: Relation = "numbers" if _without_numbers(left) == _without_numbers(right) else "words"
    return Aligned(relation, tuple(_rows(list(_cells(left, right)))))


def _without_numbers(tokens: list[str]) -> list[str]:
    return ["#" if UNIT.fullmatch(token) else token for token in tokens]


def _cells(left: list[str], right: list[str]) -> Iterator[tuple[str, str]]:
    """Pieces that stand over one another, each at most ROW_COLUMNS columns; equal ones are equal."""
    for kind, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from ((token, token) for whole in left[a:b] for token in _cut(whole))
        else:
            over, under = _cut("".join(left[a:b])), _cut("".join(right[c:d]))
            for at in range(max(len(over), len(under))):
                yield (over[at] if at < len(over) else "", under[at] if at < len(under) else "")


def _cut(text: str) -> list[str]:
    """`text` in pieces of at most ROW_COLUMNS columns."""
    pieces, piece = [], ""
    for char in text:
        if columns(piece + char) > ROW_COLUMNS:
            pieces.append(piece)
            piece = ""
        piece += char
    return [*pieces, piece] if piece else pieces


def _rows(cells: list[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    over = under = marks = ""
    for left, right in cells:
        wide = max(columns(left), columns(right))
        if over and len(marks) + wide > ROW_COLUMNS:
            yield over, under, marks
            over = under = marks = ""
            if left == right == " ":
                continue
        over += left + " " * (wide - columns(left))
        under += right + " " * (wide - columns(right))
        marks += (" " if left == right else "^") * wide
    if over:
        yield over, under, marks


def columns(text: str) -> int:
    """Columns that a terminal gives the text; Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
