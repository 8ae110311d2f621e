"""The protocol over standard input and output, for clients that cut a character in two.

JSON writes half a character as `\\ud83d`; the SDK's reader refuses the whole line, and such a call would
never be answered. Here each half becomes U+FFFD before the SDK reads the line.
"""

from __future__ import annotations

import io
import os
import re
import sys
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer
    from typing_extensions import Buffer

# An escape of JSON: both halves of a character, one of them, or any other
ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def whole(line: bytes) -> bytes:
    """A line of JSON whose characters are whole."""
    if b"\\u" not in line:
        return line
    return ESCAPE.sub(lambda found: b"\\ufffd" if found[1] else found[0], line)


class WholeLines(io.RawIOBase):
    """A stream, line by line as `whole` leaves it."""

    def __init__(self, wire: BinaryIO) -> None:
        self._wire = wire
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        if not self._rest:
            self._rest = memoryview(whole(self._wire.readline()))
        with memoryview(buffer).cast("B") as into:
            part = self._rest[: len(into)]
            into[: len(part)] = part
        self._rest = self._rest[len(part) :]
        return len(part)


def serve(server: MCPServer) -> None:
    """Answer until the client ends standard input, which is kept from whatever runs below this process."""
    if os.name == "posix" and sys.stdin is not None:
        wire = os.fdopen(os.dup(0), "rb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(WholeLines(wire)), encoding="utf-8")
    server.run("stdio")
