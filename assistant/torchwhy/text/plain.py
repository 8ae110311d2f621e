"""Text without terminal escapes and characters that act or hide. Nothing of a paste is printed before it went
through `plain`.
"""

from __future__ import annotations

import os
import re

from .lazy_re import lazy_compile

# Every repetition is of one class of characters up to something outside it, so the time is linear. A string
# sequence
# (title, hyperlink, image) ends with its line even if it is never closed: what follows is the program's text.
ANSI = lazy_compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[PX^_][^\x1b\n]*(?:\x1b\\)?|[@-Z\\-_])|\x9b[0-?]*[ -/]*[@-~]"
)
# Characters that nobody sees: Unicode's categories Cf, Zl and Zp, and what its property
# Default_Ignorable_Code_Point
# adds (variation selectors, fillers). Chinese needs none of them; an emoji loses its colour at most.
INVISIBLE = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
CONTROL = lazy_compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{INVISIBLE}]")
SURROGATE = lazy_compile("[\ud800-\udfff]")
NOT_PRINTABLE = lazy_compile(f"[\x00-\x1f\x7f-\x9f{INVISIBLE}\ud800-\udfff]")
LEFT_BY_JSON = lazy_compile(f"[\x7f-\x9f{INVISIBLE}\ud800-\udfff]")  # what JSON leaves as it is
QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u00a0": " ", "´": "'"})


def harmless(text: str) -> str:
    """Text that can be printed, encoded and kept: no escapes, control characters, invisible characters, lone
    surrogates.

    Line feeds, tabs and carriage returns within a line stay. `harmless(harmless(text)) == harmless(text)`.
    """
    text = encodable(text)
    if "\x1b" in text or "\x9b" in text:
        text = ANSI.sub("", text)
    text = CONTROL.sub("", text)
    if "\r\n" in text:
        *lines, last = text.split("\n")
        text = "\n".join([*(line.rstrip("\r") for line in lines), last])
    return text


def encodable(text: str) -> str:
    """Text that every UTF encodes: halves of a character (of JSON's \\ud83d\\ude00) are joined, single ones
    become U+FFFD.
    """
    if text.isascii() or not SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def plain(text: str) -> str:
    """`harmless` text with typographic quotes and no-break spaces made plain: what patterns are searched
    in.
    """
    return harmless(text).translate(QUOTES)


def escaped(name: str | os.PathLike[str]) -> str:
    """The name of a file or folder in one line, with whatever cannot be printed as an escape (`\\x1b`,
    `\\u061c`, `\\n`).

    A byte of the name that is not UTF-8 is shown as that byte (`\\xff`).
    """
    return NOT_PRINTABLE.sub(_escape, os.fspath(name))


def written_out(text: str) -> str:
    """All lines of a program, for whoever reads it before it runs: what acts or hides is written out."""
    return "\n".join(escaped(line.expandtabs(4)) for line in text.split("\n"))


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:  # how os.fsdecode writes a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return found[0].encode("unicode_escape", "surrogatepass").decode("ascii")
