"""Keeping secrets and who and where out of texts: reports get pasted into public issues, histories stay on
disks.
"""

from __future__ import annotations

import getpass
import os
import platform
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import re2

from . import named_secrets, whereabouts
from .named_secrets import Span, compiled, is_random
from .plain import encodable, harmless
from .token_forms import MIN_TELLING_CHARS, TOKEN_FORMS, WRAPPED
from .unescaped import unescaped
from .whereabouts import MARK

# Python's own patterns here have bounded repetitions only.
ADDRESS = re.compile(
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}(?![\w:])",
    re.IGNORECASE,
)
SERIAL = re.compile(r"\b((?:GPU|MIG)-)[0-9a-f]{8}(?:-[0-9a-f]{4,12}){0,4}", re.IGNORECASE)
UNSHOWN = re.compile(r"TOKEN|SECRET|PASS|CREDENTIAL|API_?KEY|_ADDR$|_ENDPOINT$|_HOST", re.IGNORECASE)
# What may stand right before a token, besides what is no letter and no digit: an escape of a string or of a
# URL, which may stand in another one.
ESCAPE = re.compile(rb"(?:\\[nrt]|%(?:25){0,3}[0-9A-Fa-f]{2})\Z")
TOO_COMMON = {
    "root",
    "user",
    "test",
    "admin",
    "home",
    "ubuntu",
    "torch",
    "python",
    "runner",
    "build",
    "main",
    "local",
    "localhost",
    "data",
    "work",
}
MIN_OWN_NAME_CHARS = 4


def shorten(text: str) -> str:
    """`text` with home folders as ~, and without this user's and machine's names, network addresses and GPU
    serials.
    """
    return SERIAL.sub(r"\1…", ADDRESS.sub("<address>", anonymous(text)))


def variable(name: str, value: str) -> str:
    """The value of an environment variable as it may be shown: `set` alone for addresses and secrets."""
    return "set" if UNSHOWN.search(name) else shorten(value)


def redact(text: str) -> str:
    """`text` without tokens, keys, passwords, addresses, user and host names, and without characters that act
    or hide.

    Has to see a text whole, before anything is cut from it: a token that was cut in two is not known as one.
    The time is linear in the text. `redact(redact(text)) == redact(text)`.
    """
    text = harmless(text).replace("\r", "\n")
    for _ in range(MAX_PASSES):
        redacted = _redacted(text)
        if redacted == text:
            break
        text = redacted
    return text


MAX_PASSES = 3  # what is taken out can uncover what was hidden by it; nothing seen needed a third


def _redacted(text: str) -> str:
    data = text.encode()
    spans = [(start, end, MARK) for start, end in _tokens(data)]
    spans += [(start, end, MARK) for start, end in named_secrets.find(data, data.lower())]
    inside = unescaped(data)
    if inside is not None:
        found = [*_tokens(inside.data), *named_secrets.find(inside.data, inside.data.lower())]
        spans += [(inside.original(start), inside.original(end), MARK) for start, end in found]
    spans += [(start, end, MARK) for start, end in whereabouts.find(data, _own_names())]
    spans += _home(data)
    return _replaced(data, spans) if spans else text


def without_named_secrets(text: str) -> str:
    """`text` without the values that stand beside a secret's name; addresses and names of hosts stay."""
    data = text.encode()
    return _replaced(data, [(start, end, MARK) for start, end in named_secrets.find(data, data.lower())])


def holds_token(text: str) -> bool:
    """Whether a token that is known by its form stands in the text."""
    return next(_tokens(text.encode("utf-8", "replace")), None) is not None


def _tokens(data: bytes) -> Iterator[Span]:
    """Spans of tokens that are known by their form."""
    for keyword, pattern, is_telling in _token_patterns():
        if keyword not in data:
            continue
        for match in pattern.finditer(data):
            start, end = match.span(pattern.groups)
            before = data[max(0, start - 9) : start]
            if is_telling or not before[-1:].isalnum() or ESCAPE.search(before):
                yield start, end
    for match in _wrapped_pattern().finditer(data):
        first, rest = (part.strip(" \t│|\\") for part in match[1].decode().split("\n"))
        is_word = first.isalpha() and (first.islower() or first.isupper())
        below = rest.isalpha() and not is_random(rest)  # `KeyboardInterrupt` on a line of its own
        if not is_word and not below and is_random(first + rest):
            yield match.start(), match.end(1)


@lru_cache(maxsize=1)
def _token_patterns() -> tuple[tuple[bytes, re2._Regexp, bool], ...]:
    """(what such a token contains, its pattern, whether the prefix tells enough to stand after a letter)."""
    return tuple(
        (keyword.encode(), compiled(pattern), len(keyword) >= MIN_TELLING_CHARS and not keyword.isalpha())
        for keyword, pattern in TOKEN_FORMS
    )


@lru_cache(maxsize=1)
def _wrapped_pattern() -> re2._Regexp:
    return compiled(WRAPPED)


def _replaced(data: bytes, spans: list[tuple[int, int, str]]) -> str:
    """`data` with every span replaced; spans that overlap or touch become one mark."""
    parts, place = [], 0
    spans.sort()
    number = 0
    while number < len(spans):
        start, end, shown = spans[number]
        number += 1
        while number < len(spans) and spans[number][0] <= end:
            shown = MARK if spans[number][:2] != (start, end) or shown != spans[number][2] else shown
            end = max(end, spans[number][1])
            number += 1
        parts += [data[place:start].decode(errors="replace"), shown]
        place = end
    return "".join([*parts, data[place:].decode(errors="replace")])


def anonymous(text: str, folders: Iterable[tuple[str, str]] = ()) -> str:
    """`text` without this machine's and this user's names: home folders, user, host.

    `folders` are (path, what to write instead) pairs, replaced first.
    """
    for path, shown in sorted(folders, key=lambda pair: -len(pair[0])):
        if len(path) > 1:
            text = text.replace(path, shown)
    text = encodable(text)
    data = text.encode()
    spans = _home(data)
    spans += [(start, end, MARK) for start, end in whereabouts.homes(data)]
    spans += [
        (start, end, MARK)
        for start, end in whereabouts.names(data, {name.encode() for name in _own_names()}, set())
    ]
    return _replaced(data, spans) if spans else text


def _home(data: bytes) -> list[tuple[int, int, str]]:
    """This user's home folder, to be written as ~."""
    home = os.path.expanduser("~").rstrip("/\\").encode(errors="replace")
    spans = []
    place = data.find(home) if len(home) > 1 else -1
    while place >= 0:
        end = place + len(home)
        if not whereabouts.WORD.match(data[end : end + 1]):
            spans.append((place, end, "~"))
        place = data.find(home, end)
    return spans


@lru_cache(maxsize=1)
def _own_names() -> frozenset[str]:
    """This user's and this host's names, unless they are words that mean nothing (root, localhost) or too
    short to be safe.
    """
    try:
        user = getpass.getuser()
    except (ImportError, KeyError, OSError):  # a container's user without a name, or Windows without USERNAME
        user = ""
    host = platform.node()
    names = {encodable(name) for name in (user, host, host.split(".")[0])}
    return frozenset(
        name for name in names if len(name) >= MIN_OWN_NAME_CHARS and name.lower() not in TOO_COMMON
    )
