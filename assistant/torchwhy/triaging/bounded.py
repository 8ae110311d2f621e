"""Bounds of what one file can cost: a few kilobytes that unpack to terabytes, a file that is a hole."""

from __future__ import annotations

import io
from typing import IO, Any

from torchwhy.errors import UsageError

FREE_BYTES = 1 << 30  # that any file may unpack to
MAX_RATIO = 200  # of what a larger one unpacks to, to what it was; logs reach some 50
MAX_NULS = 64 << 20  # bytes of a log; a machine that went down leaves some behind


class Swelling:
    """Counts what a file unpacks to. Raises UsageError where it is out of all proportion."""

    def __init__(self) -> None:
        self._given = 0

    def add(self, given: int, packed: int) -> None:
        """So many bytes more, of so many packed ones until now."""
        self._given += given
        if self._given > max(FREE_BYTES, MAX_RATIO * packed):
            raise UsageError(f"unpacks to more than {MAX_RATIO} times its size, and to more than 1 GiB")


class Unpacked(io.RawIOBase):
    """What `stream` unpacks from `packed`, in proportion to it."""

    def __init__(self, stream: Any, packed: IO[bytes]) -> None:
        self._stream, self._packed, self._swelling = stream, packed, Swelling()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        part: bytes = self._stream.read(size)
        self._swelling.add(len(part), self._packed.tell())
        return part

    def readinto(self, buffer: Any) -> int:
        part = self.read(len(buffer))
        buffer[: len(part)] = part
        return len(part)


class Dense:
    """The rest of a log. Raises UsageError for one that is mostly a hole, which would be read for hours."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._nuls = stream, 0

    def read(self, size: int) -> bytes:
        part = self._stream.read(size)
        self._nuls += part.count(0)
        if self._nuls > MAX_NULS:
            raise UsageError(f"more than {MAX_NULS >> 20} MiB of NUL bytes, not a log")
        return part
