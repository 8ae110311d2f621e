"""Reading a paste from a file or a pipe, whatever its size: small ones whole, large ones streamed and reduced to the
parts that can matter (beginning, end, everything around errors). A 50 MB log never stands in memory as a str.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import IO

import re2

from .errors import UsageError

WHOLE = 1 << 20  # bytes up to which a text is taken as it is
BLOCK = 1 << 20
EDGE = 48 << 10  # bytes kept of the beginning and of the end
BEFORE, AFTER = 6 << 10, 3 << 10  # bytes kept around a line that looks like an error
MOST = 768 << 10  # bytes of the digest in all
INTERESTING = (
    r"Traceback \(most recent call last\)|\b[A-Z]\w*(?:Error|Exception|Exit|Failed|Unsupported)\b|Warning: |[Aa]ssertion .{0,300}failed|what\(\):|"
    r"[Kk]illed|Segmentation fault|Bus error|core dumped|\[E\d* |THCudaCheck FAIL|error: |ERROR: |Error #|Xid|CUDA error|out of memory|insufficient|"
    r"timed out|timeout:|failed to|cannot |nan\b|NaN\b"
)


def read_text(stream: IO[bytes]) -> str:
    """The text of a stream, or its digest where it is large.

    Invalid UTF-8 becomes U+FFFD; UTF-16 with a byte-order mark (PowerShell's `>`) is read as such.
    Raises UsageError for a binary file.
    """
    head = _fill(stream, WHOLE + 1)
    if len(head) <= WHOLE:
        return decode(head)
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return decode(head + stream.read(8 * WHOLE))
    _refuse_binary(head)
    return _digest(head, stream)


def _fill(stream: IO[bytes], size: int) -> bytes:
    parts, have = [], 0
    while have < size:
        chunk = stream.read(size - have)
        if not chunk:
            break
        parts.append(chunk)
        have += len(chunk)
    return b"".join(parts)


def decode(data: bytes) -> str:
    """Bytes -> text. Raises UsageError for binary data."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    _refuse_binary(data)
    return data.decode("utf-8-sig", "replace")


def _refuse_binary(data: bytes) -> None:
    sample = data[:65536]
    odd = sum(sample.count(bytes([code])) for code in (*range(8), *range(14, 27), 28, 29, 30, 31))
    if sample.count(0) > 4 or (sample and odd / len(sample) > 0.05):
        raise UsageError("this is a binary file, not a log; give the text that the program printed")


def _digest(head: bytes, stream: IO[bytes]) -> str:
    """Beginning, end, and the surroundings of interesting lines; equal errors are kept once (the first and the last)."""
    interesting = _pattern()
    kept: dict[bytes, tuple[int, bytes]] = {}
    used = 0
    offset = 0
    tail = b""
    block = head
    while block:
        cut = block.rfind(b"\n") + 1 or len(block)
        if len(block) - cut > 4 * BLOCK:
            cut = len(block)
        part, rest = block[:cut], block[cut:]
        spans = [(found.start(), found.end()) for found in interesting.finditer(part)]
        for start, end in merged(spans, len(part)):
            piece = part[start:end]
            key = _signature_of(piece)
            if key in kept:
                used -= len(kept.pop(key)[1])
            kept[key] = (offset + start, piece)
            used += len(piece)
            while used > MOST and len(kept) > 2:
                oldest = list(kept)[len(kept) // 2]
                used -= len(kept.pop(oldest)[1])
        offset += len(part)
        tail = (tail + part)[-EDGE:]
        fresh = stream.read(BLOCK)
        if not fresh and rest:
            block, fresh = rest, b""
            if cut == 0:
                break
            continue
        block = rest + fresh
    pieces = [(0, head[:EDGE]), *sorted(kept.values()), (max(0, offset - len(tail)), tail)]
    return "\n".join(piece.decode("utf-8", "replace") for _, piece in _unoverlapped(pieces))


def _pattern() -> re2._Regexp:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    return re2.compile(INTERESTING.encode(), options)


def merged(spans: list[tuple[int, int]], size: int) -> Iterator[tuple[int, int]]:
    """Spans widened to whole surroundings; those that meet become one (up to a limit, so that a flood stays bounded)."""
    current: tuple[int, int] | None = None
    for start, end in sorted(spans):
        low, high = max(0, start - BEFORE), min(size, end + AFTER)
        if current and low <= current[1] and high - current[0] <= 64 << 10:
            current = (current[0], max(current[1], high))
            continue
        if current:
            yield current
            low = max(low, current[1])
        current = (low, high)
    if current:
        yield current


def _signature_of(piece: bytes) -> bytes:
    """What makes two pieces the same error: their text without digits."""
    return piece.translate(None, b"0123456789 \t")[-4000:]


def _unoverlapped(pieces: list[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    end = 0
    for start, piece in sorted(pieces):
        if start < end:
            piece = piece[end - start :]
            start = end
        if piece:
            yield start, piece
            end = start + len(piece)


def read_path(path: str) -> str:
    """The text of a file, or of standard input for "-". Raises UsageError."""
    if path == "-":
        return read_text(sys.stdin.buffer)
    try:
        with open(path, "rb") as file:
            return read_text(file)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
