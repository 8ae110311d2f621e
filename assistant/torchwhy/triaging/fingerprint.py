"""The fingerprint of an error: equal for two that differ in sizes, addresses, paths and numbers alone."""

from __future__ import annotations

import hashlib
import re

from torchwhy.paste.paste import Found

MAX_CHARS = 600  # of a message, what tells it from others
LIBRARY_FRAMES = 3
FINGERPRINT_CHARS = 16
# a line that a program printed below a message, and that is no part of it
OWN_LINE = re.compile(
    r"\n(?=[^\n]{0,80}(?:\b(?:[Ee]poch|[Ss]tep|[Ii]ter)\b\W{0,4}\d|\d%\||INFO|WARNING|DEBUG))"
)
HEX = re.compile(r"\b0x[0-9a-fA-F]+\b|\b(?=[0-9]*[a-f])[0-9a-f]{12,64}\b")
PATH = re.compile(r"(?:[A-Za-z]:)?(?:[\\/][\w.@%+~-]+){2,}")
# Numbers that tell one error from another; all others are one and the same.
NUMBER = re.compile(
    r"(?P<told>(?i:xid[^,\n]{0,40}: ?|exit ?codes?:? ?|signal:? ?|errno:? ?|\berror[ =:#]{1,3}|\bcode[ =:]{1,2}|sm_|cuda ?))?"
    r"(?P<number>-?\d[\d.]*)"
)


def normalised(text: str) -> str:
    """A message with its varying parts written as signs."""
    text = PATH.sub("<path>", HEX.sub("<hex>", text[: 4 * MAX_CHARS]))
    return NUMBER.sub(_sign, text)[:MAX_CHARS]


def _sign(found: re.Match[str]) -> str:
    told = found["told"]
    return f"{told}{found['number']}" if told else "#"


def fingerprint(error: Found) -> str:
    """The fingerprint of an error: its exception, its message, and the library's functions that raised it."""
    inner = [frame.function for frame in error.frames if frame.owner][-LIBRARY_FRAMES:]
    text = "\0".join([error.name, normalised(OWN_LINE.split(error.message, 1)[0]), *inner])
    return hashlib.blake2b(text.encode("utf-8", "replace")).hexdigest()[:FINGERPRINT_CHARS]
