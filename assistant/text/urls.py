"""The URLs of a text: their credentials and hosts, as spans of UTF-8 bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{1,30}\Z")
RUN = re.compile(rb"[^\s\"'<>`\\|]*")
AUTHORITY_END = re.compile(rb"[/?#]")
HOST = re.compile(rb"\[[0-9A-Fa-f:.%\w]+\]|[\w.\x80-\xff-]+")
PORT = re.compile(rb"\d{0,5}\Z")
# Users that belong to everybody.
COMMON_USERS = frozenset([b"git", b"hg", b"svn", b"anonymous", b"x-access-token", b"oauth2"])


class Url(NamedTuple):
    """Spans of one URL: `user` is None without credentials, `host` None where no host is named."""

    user: tuple[int, int] | None
    host: tuple[int, int] | None


def urls(data: bytes) -> Iterator[Url]:
    """Every `scheme://...` of a text. Each byte is looked at a fixed number of times."""
    at = data.find(b"://")
    while at >= 0:
        start = at + 3
        following = data.find(b"://", start)
        limit = following if following >= 0 else len(data)
        end = RUN.match(data, start, limit).end()  # type: ignore[union-attr]
        if SCHEME.search(data, max(0, at - 32), at):
            yield _url(data, start, end)
        at = following


def _url(data: bytes, start: int, end: int) -> Url:
    slash = AUTHORITY_END.search(data, start, end)
    authority_end = slash.start() if slash else end
    sign = data.rfind(b"@", start, authority_end)
    if sign < 0 and data.find(b":", start, authority_end) >= 0:
        # a password with a slash in it: `user:pa/ss@host`; behind a port (`host:8080/x@y`) it is a path
        colon = data.find(b":", start, authority_end)
        if not PORT.match(data, colon + 1, authority_end):
            sign = data.find(b"@", authority_end, end)
    user = None
    if sign > start:
        if data[start:sign] not in COMMON_USERS:
            user = (start, sign)
        start = sign + 1
    host = HOST.match(data, start, end)
    name = host[0].rstrip(b".") if host else b""  # the end of a sentence
    return Url(user, (start, start + len(name)) if name else None)
