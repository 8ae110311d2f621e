"""Reading a paste from a file or a pipe, whatever its size: small ones whole, large ones streamed and reduced
to the parts that can matter (beginning, end, everything around errors). A 50 MB log never stands in memory as
a str.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from typing import IO, Any

import re2

from torchwhy.errors import UsageError
from torchwhy.text.plain import escaped

MAX_WHOLE_BYTES = 1 << 20  # a text up to this size is taken as it is
MAX_UTF16_BYTES = 8 << 20  # read of a UTF-16 text beyond that
BLOCK_BYTES = 1 << 20
EDGE_BYTES = 48 << 10  # kept of the beginning and of the end
BEFORE_BYTES, AFTER_BYTES = 6 << 10, 3 << 10  # kept around a line that looks like an error
STRIDE_BYTES = 512  # behind a line that looks like an error nothing is looked for
MAX_SPAN_BYTES = 64 << 10  # of surroundings that run into one another
MAX_DIGEST_BYTES = 768 << 10
MAX_TRIM_BYTES = (
    2 << 10
)  # given up at most to cut between lines or words; less than what is kept around an error
BLANKS = (b"\n", b" ", b"\t")
MAX_LINE_BLOCKS = 4  # a line longer than so many blocks is cut
SAMPLE_BYTES = 65_536  # looked at to tell a log from a binary file
MAX_NULS, MAX_CONTROL_SHARE = 4, 0.05
MAX_KEY_BYTES = 4_000  # of an error's surroundings, what tells it from others
INTERESTING = "|".join(
    [
        r"Traceback \(most recent call last\)",
        r"\b[A-Z]\w*(?:Error|Exception|Exit|Failed|Unsupported)\b",
        r"Warning: |[Aa]ssertion .{0,300}failed|what\(\):",
        r"[Kk]illed|Segmentation fault|Bus error|core dumped",
        r"\[E\d* |THCudaCheck FAIL|error: |ERROR: |Error #|Xid|CUDA error",
        r"out of memory|insufficient|timed out|timeout:|failed to|cannot |nan\b|NaN\b",
    ]
)


def read_text(stream: IO[bytes]) -> str:
    """The text of a stream, or its digest where it is large.

    Invalid UTF-8 becomes U+FFFD; UTF-16 with a byte-order mark (PowerShell's `>`) is read as such.
    Raises UsageError for a binary file.
    """
    head = _fill(stream, MAX_WHOLE_BYTES + 1)
    if len(head) <= MAX_WHOLE_BYTES:
        return decode(head)
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return shortened(decode(head + _fill(stream, MAX_UTF16_BYTES)))
    _refuse_binary(head)
    return _digest(head, stream)


def shortened(text: str) -> str:
    """A text that is in memory already; a long one is digested, as a file of that size is.

    Raises UsageError as `read_text` does.
    """
    if len(text) <= MAX_WHOLE_BYTES:
        return text
    return read_text(io.BytesIO(text.encode("utf-8", "replace")))


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
    sample = data[:SAMPLE_BYTES]
    odd = sum(sample.count(bytes([code])) for code in (*range(8), *range(14, 27), 28, 29, 30, 31))
    if sample.count(0) > MAX_NULS or (sample and odd / len(sample) > MAX_CONTROL_SHARE):
        raise UsageError("this is a binary file, not a log; give the text that the program printed")


def _digest(head: bytes, stream: IO[bytes]) -> str:
    """Beginning, end, and the surroundings of interesting lines; equal errors are kept once (the first and
    the last).
    """
    interesting = _pattern()
    kept: dict[bytes, tuple[int, bytes]] = {}
    used = 0
    offset = 0
    tail = b""
    block = head
    while block:
        cut = block.rfind(b"\n") + 1 or len(block)
        if len(block) - cut > MAX_LINE_BLOCKS * BLOCK_BYTES:
            cut = len(block)
        part, rest = block[:cut], block[cut:]
        for start, end in _whole_spans(part, merged(_hits(interesting, part), len(part))):
            piece = part[start:end]
            key = _key_of(piece)
            if key in kept:
                used -= len(kept.pop(key)[1])
            kept[key] = (offset + start, piece)
            used += len(piece)
            while used > MAX_DIGEST_BYTES and len(kept) > 2:
                oldest = list(kept)[len(kept) // 2]
                used -= len(kept.pop(oldest)[1])
        offset += len(part)
        tail = (tail + part)[-EDGE_BYTES:]
        fresh = stream.read(BLOCK_BYTES)
        if not fresh and rest:
            block, fresh = rest, b""
            if cut == 0:
                break
            continue
        block = rest + fresh
    first = head[: _last_whole(head, 0, EDGE_BYTES)]
    at = _first_whole(tail, 0 if offset <= len(tail) else 1, len(tail))
    pieces = [(0, first), *sorted(kept.values()), (offset - len(tail) + at, tail[at:])]
    return "".join(_joined(pieces))


def _pattern() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    return re2.compile(INTERESTING.encode(), options)


def _hits(interesting: Any, part: bytes) -> Iterator[tuple[int, int]]:
    """Where it looks like an error, in order. What stands within STRIDE_BYTES behind one counts to it: a
    flood of errors would else cost ten times what reading it does.
    """
    found = interesting.search(part)
    while found:
        end = min(found.end() + STRIDE_BYTES, len(part))
        yield found.start(), end
        found = interesting.search(part, end)


def merged(spans: Iterable[tuple[int, int]], size: int) -> Iterator[tuple[int, int]]:
    """Spans, in order, widened to whole surroundings; those that meet become one (up to a limit, so that a
    flood stays bounded).
    """
    current: tuple[int, int] | None = None
    for start, end in spans:
        low, high = max(0, start - BEFORE_BYTES), min(size, end + AFTER_BYTES)
        if current and low <= current[1] and high - current[0] <= MAX_SPAN_BYTES:
            current = (current[0], max(current[1], high))
            continue
        if current:
            yield current
            low = max(low, current[1])
        current = (low, high)
    if current:
        yield current


def _key_of(piece: bytes) -> bytes:
    """What makes two pieces the same error: their text without digits."""
    return piece.translate(None, b"0123456789 \t")[-MAX_KEY_BYTES:]


def _whole_spans(part: bytes, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans narrowed to whole lines, or to whole words and characters where a line is long; one that goes
    on where the last one ended still does.

    What is cut in its middle is neither a character nor, for whoever takes secrets out later, a key.
    """
    ended = ended_whole = -1
    for start, end in spans:
        first = ended_whole if start == ended else _first_whole(part, start, end)
        ended, ended_whole = end, _last_whole(part, start, end)
        yield first, ended_whole


def _first_whole(part: bytes, start: int, end: int) -> int:
    if start == 0 or part[start - 1 : start] == b"\n":
        return start
    for blank in BLANKS:
        at = part.find(blank, start, min(end, start + MAX_TRIM_BYTES))
        if at >= 0:
            return at + 1
    while start < end and part[start] & 0xC0 == 0x80:  # the rest of a character
        start += 1
    return start


def _last_whole(part: bytes, start: int, end: int) -> int:
    if end >= len(part) or part[end - 1 : end] == b"\n":
        return end
    for blank in BLANKS:
        at = part.rfind(blank, max(start, end - MAX_TRIM_BYTES), end)
        if at >= 0:
            return at + 1
    while end > start and part[end] & 0xC0 == 0x80:
        end -= 1
    return end


def _joined(pieces: list[tuple[int, bytes]]) -> Iterator[str]:
    """The pieces in their order, nothing twice; a new line where something is left out."""
    end = 0
    for start, piece in sorted(pieces):
        fresh = piece[max(0, end - start) :]
        if fresh:
            if start > end:
                yield "\n"
            yield fresh.decode("utf-8", "replace")
            end = max(start, end) + len(fresh)


def read_path(path: str) -> str:
    """The text of a file, or of standard input for "-". Raises UsageError."""
    if path == "-":
        return read_text(sys.stdin.buffer)
    try:
        with open(path, "rb") as file:
            return read_text(file)
    except UsageError as error:
        raise UsageError(f"{escaped(path)}: {error}") from error
    except OSError as error:
        raise UsageError(f"{escaped(path)}: cannot be read ({error.strerror})") from error
