"""A look at one log: whether it failed, with which error, in which rank. Most logs are healthy, and are
answered by one search.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from functools import lru_cache
from typing import IO, Any, NamedTuple

import re2

from torchwhy.errors import UsageError
from torchwhy.paste.lines import lines_of
from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Found, Paste
from torchwhy.paste.place import here_of, package_of
from torchwhy.paste.reading import MAX_WHOLE_BYTES, read_text
from torchwhy.text.exits import kept
from torchwhy.text.plain import encodable

from .bounded import Dense
from .fingerprint import fingerprint
from .row import Look
from .signs import (
    BARE,
    FIRST_LABEL,
    FOLLOWED,
    FRAME,
    HOST,
    LABEL,
    LAUNCHED,
    LAUNCHER,
    LAUNCHER_LINE,
    LAUNCHER_RANK,
    MAX_BARE_CHARS,
    MAX_BARE_LINES,
    ODD_NAME,
    PROGRESS,
    SCHEDULER,
    SIGNS,
    STAMP,
    TEARDOWN,
    TOLD,
)

BLOCK_BYTES = 1 << 20
CARRY_BYTES = 8 << 10  # of a block, searched again with the next one, since an error may begin there
EDGE_BYTES = 4 << 10  # of a log's ends, where its host and its time stamps are looked for
STAMP_BYTES = 1 << 10, 1 << 8  # of them, at most, where a stamp is looked for; and at first, in the tail
MAX_REGION_BYTES = 256 << 10  # of a log from its first sign of an error on, what is parsed
MAX_ERROR_CHARS = 500
MAX_SAMPLE_ERRORS, MAX_SAMPLE_LINES, MAX_SAMPLE_CHARS = 6, 60, 12_000
MAX_SAMPLE_LINE_CHARS = 2000
MAX_REMEMBERED = 4096  # regions whose reading is kept
MIN_PROGRESS = 3  # lines of progress after an error from which it was handled
DIGITS = re.compile(rb"\d+")
MAX_LINE_BYTES = 8000  # of a line that holds a message


class Reading(NamedTuple):
    """What a region says. `label`: which of its rank labels the error has, by the order of their first
    appearance; line, frame_line: where the message and the user's frame stand, -1 if unknown; last: where the
    error ends; portable: whether another region that differs in its numbers alone is read by these places.
    """

    order: int
    exception: str
    error: str
    line: int
    frame_line: int
    last: int
    label: int | None
    package: str | None
    user_frame: str | None
    torch: str | None
    fingerprint: str
    sample: str
    portable: bool = False


@lru_cache(maxsize=1)
def _signs() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    return re2.compile(SIGNS.encode(), options)


@lru_cache(maxsize=1)
def _naming() -> Any:
    """What stands in every line that names a host or a job: one pass takes less than a search for each."""
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    return re2.compile(rb" NCCL |host|SLURMD_NODENAME|Xid|\*\*\* |SLURM_JOB|RUN_ID|run_id|rdzv_id", options)


@lru_cache(maxsize=1)
def _told() -> Any:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(TOLD.encode(), options)


class Looker:
    """Looks at logs, one after the other; remembers how regions were read, since thousands of ranks die of
    the same.

    A text to ask is made of the log with the least hash of all with its fingerprint, so that the order of
    logs does not matter.
    """

    def __init__(self) -> None:
        self._readings: dict[tuple[object, ...], Reading | None] = {}
        self._least: dict[str, str] = {}

    def look(self, stream: IO[bytes], look: Look) -> bytes:
        """Read a log to its end and write into `look` what it shows; gives the log's first bytes if a job's
        or a host's name may stand there.

        Raises UsageError for a binary file, OSError, EOFError and what else a stream raises.
        """
        data = _whole(stream, look.size)
        head, tail = data[:EDGE_BYTES], data[-EDGE_BYTES:]
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            data = (data + stream.read(8 * MAX_WHOLE_BYTES)).decode("utf-16", "replace").encode()
            head, tail = data[:EDGE_BYTES], data[-EDGE_BYTES:]
        elif b"\0" in data and data[:65_536].count(0) > 4:
            raise UsageError("a binary file, not a log")
        if len(data) > MAX_WHOLE_BYTES and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            data, tail = _reduced(data, Dense(stream))  # type: ignore[arg-type]
        look.start, look.end = _first_stamp(head), _last_stamp(tail)
        first = _signs().search(data)
        if first is not None:
            self._failing(data, first.start(), look)
        if not _naming().search(head):
            head = b""
        look.host = _host_of(head, data[first.start() :] if first is not None else b"")
        return head

    def _failing(self, data: bytes, first: int, look: Look) -> None:
        begin = data.rfind(b"\n", 0, first) + 1
        region = data[begin:]
        if len(region) > MAX_REGION_BYTES:
            half = MAX_REGION_BYTES // 2
            region = region[: region.rfind(b"\n", 0, half) + 1 or half] + region[-half:]
        if b"Root Cause (first" in region:
            look.said_rank = _said_rank(region)
        labels = _labels(region)
        lines = region.split(b"\n")
        reading, full = self._reading(region, labels, lines)
        if reading is None:
            return
        # a message may seem to go on over the lines of progress below it
        after = b"\n".join(lines[reading.line + 1 if reading.line >= 0 else reading.last :])
        if (
            after
            and reading.order < 3
            and len(PROGRESS.findall(after)) >= MIN_PROGRESS * max(1, len(set(labels)))
        ):
            return
        look.order, look.exception, look.fingerprint = reading.order, reading.exception, reading.fingerprint
        look.package, look.torch = reading.package, reading.torch
        look.error, look.user_frame = reading.error, reading.user_frame
        if reading.label is not None:
            label = list(dict.fromkeys(labels))[reading.label]
            look.rank = int(label) if len(label) < 7 else None
        before = b"\n".join(lines[: reading.last])
        look.time = (
            _last_stamp(before[-EDGE_BYTES:])
            or _last_stamp(data[max(0, begin - EDGE_BYTES) : begin])
            or look.end
        )
        mark = hashlib.blake2b(region).hexdigest()[:24]
        if mark < self._least.get(reading.fingerprint, "~"):
            self._least[reading.fingerprint] = mark
            told = reading if full else _read(region, labels, lines)
            look.sample, look.sample_hash = (told.sample if told else None), mark

    def _reading(self, region: bytes, labels: list[bytes], lines: list[bytes]) -> tuple[Reading | None, bool]:
        """What a region says, and whether all of it was read here, its text to ask included."""
        order = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        plain = hashlib.blake2b(DIGITS.sub(b"0", region)).digest()
        key = (plain, *_told().findall(region), *(order[each] for each in labels))
        if key in self._readings:
            kept = self._readings[key]
            if kept is None or kept.portable:
                return (_own(kept, lines, region) if kept else None), False
            return _read(region, labels, lines), True
        reading = _read(region, labels, lines)
        if len(self._readings) >= MAX_REMEMBERED:
            self._readings.clear()
        if reading is not None:
            reading = reading._replace(portable=_own(reading, lines, region) == reading)
        self._readings[key] = reading._replace(sample="") if reading else None
        return reading, True


def _whole(stream: IO[bytes], size: int | None) -> bytes:
    """A log's bytes, at most one more than those that are read whole. size: of the file, in bytes: to ask
    for so many makes no room for a megabyte.
    """
    most = MAX_WHOLE_BYTES + 1
    asked = min(most, size + 1) if size else most
    data = stream.read(asked)
    if asked <= len(data) < most:  # compressed, or it has grown
        data += stream.read(most - len(data))
    return data


def _reduced(head: bytes, stream: IO[bytes]) -> tuple[bytes, bytes]:
    """A large log from its first sign of an error on, digested, and its last bytes; b"" where it has none."""
    signs = _signs()
    block, carry = head, b""
    while True:
        block = carry + block
        if signs.search(block):
            rest = _Rest(block, stream)
            return read_text(rest).encode("utf-8", "replace"), rest.tail  # type: ignore[arg-type]
        carry = block[-CARRY_BYTES:]
        block = stream.read(BLOCK_BYTES)
        if not block:
            return b"", carry[-EDGE_BYTES:]


class _Rest:
    """A stream whose next bytes were read already."""

    def __init__(self, ahead: bytes, stream: IO[bytes]) -> None:
        self._ahead, self._stream = ahead, stream
        self.tail = b""

    def read(self, size: int) -> bytes:
        part, self._ahead = self._ahead[:size], self._ahead[size:]
        part = part or self._stream.read(size)
        self.tail = (self.tail + part[-EDGE_BYTES:])[-EDGE_BYTES:]
        return part


def _read(region: bytes, labels: list[bytes], lines: list[bytes]) -> Reading | None:
    """Read a region; None where nothing in it failed."""
    paste = parse(region.decode("utf-8", "replace"))
    root = paste.root
    if root is None or root.role not in ("root", "wrapper") or root.name in LAUNCHED:
        kept = (
            None if root is None or root.role in ("warning", "advice") or _is_teardown(paste, root) else root
        )
        root = _bare(paste) or kept
    if root is None:
        return None
    here, package = here_of(paste), package_of(paste)
    error = f"{root.name}: {root.message}" if root.exception else root.message
    line = _line_with(lines, root.start, root.message.partition("\n")[0][:60])
    order = {label: number for number, label in enumerate(dict.fromkeys(labels))}
    return Reading(
        _order(root),
        root.name,
        _told_error(error.partition("\n")[0].rstrip()),
        line,
        _line_with(lines, 0, f'File "{here.file}", line {here.line}') if here else -1,
        max(line + 1, min(root.end, len(lines))),
        order.get(str(root.rank).encode()) if root.rank is not None else None,
        package.name if package else None,
        _redacted(here.place) if here else None,
        paste.torch,
        fingerprint(root),
        _sample(paste, root),
    )


def _own(reading: Reading, lines: list[bytes], region: bytes) -> Reading:
    """A reading of a region that differs from this one in its numbers alone, with its own numbers."""
    error, user_frame, torch = reading.error, reading.user_frame, reading.torch
    if 0 <= reading.line < len(lines):
        whole = lines[reading.line]
        end = whole[-MAX_LINE_BYTES:]
        if len(end) < len(whole):  # what was cut there may be half a key
            end = end.partition(b" ")[2]
        text = lines_of(end.decode("utf-8", "replace"))[-1][0].strip()
        at = text.find(f"{reading.exception}:") if reading.exception else 0
        error = _told_error(text[max(0, at) :])
    if user_frame is not None and 0 <= reading.frame_line < len(lines):
        found = FRAME.search(lines[reading.frame_line].decode("utf-8", "replace"))
        user_frame = _redacted(f"{found[1]}:{found[2]}") if found else None
    if torch is not None:
        torch = parse(region.decode("utf-8", "replace")).torch
    return reading._replace(error=error, user_frame=user_frame, torch=torch)


def _told_error(line: str) -> str:
    """An error's line as it is kept: redacted before it is cut."""
    return _redacted(_whole_words(encodable(line), MAX_LINE_BYTES))[:MAX_ERROR_CHARS]


def _whole_words(text: str, most: int) -> str:
    """The beginning of a text, without a word that would be cut: half a key is not known as one."""
    return text if len(text) <= most else text[:most].rpartition(" ")[0] or text[:most]


@lru_cache(maxsize=8192)
def _redacted(text: str) -> str:
    return kept(text)


def _order(root: Found) -> int:
    """How near an error is to the cause: see `Look.order`."""
    if root.role == "wrapper":
        return 3 if root.name in LAUNCHED else 1
    if root.role != "root":
        return 4
    return 2 if FOLLOWED.search(f"{root.exception} {root.message}"[:2000]) else 0


def _is_teardown(paste: Paste, root: Found) -> bool:
    """Whether the leading error is only what an interpreter says while it goes down."""
    if root.role != "cascade":
        return False
    above = paste.lines[root.start - 1] if root.start else ""
    return bool(TEARDOWN.search(f"{above}\n{root.message}"))


def _bare(paste: Paste) -> Found | None:
    """The first error that the parser does not know as one: below a traceback that no exception's line
    closed, a tool's or a scheduler's own line.
    """
    launcher = None
    read = {number for error in paste.errors for number in range(error.start, error.end)}
    for number, line in enumerate(paste.lines):
        if number in read:
            continue
        line = line[:MAX_BARE_CHARS]
        unclosed = ODD_NAME.match(line) and any(
            " line " in above for above in paste.lines[max(0, number - 3) : number]
        )
        if not (unclosed or BARE.search(line) or SCHEDULER.match(line)):
            continue
        if LAUNCHER_LINE.search(line):
            launcher = launcher or Found("wrapper", "ChildFailedError", line.strip(), number, number + 1)
            continue
        end = number + 1
        while end < min(len(paste.lines), number + MAX_BARE_LINES) and paste.lines[end].startswith(
            (" ", "\t")
        ):
            end += 1
        return Found("root", "", "\n".join(paste.lines[number:end]).strip(), number, end)
    return launcher


def _sample(paste: Paste, root: Found) -> str:
    """The leading error with what failed beside it in its rank, redacted: what is asked."""
    near = [
        error
        for error in paste.errors
        if root in paste.errors
        and error is not root
        and error.rank == root.rank
        and error.role in ("root", "wrapper", "warning")
    ]
    parts = []
    for error in sorted([root, *near[: MAX_SAMPLE_ERRORS - 1]], key=lambda each: each.start):
        lines = paste.lines[error.start : error.end]
        if root.rank is not None and error.frames:  # other ranks' lines may stand between
            lines = tuple(_written(error))
        if len(lines) > MAX_SAMPLE_LINES:
            lines = (*lines[: MAX_SAMPLE_LINES // 2], *lines[-MAX_SAMPLE_LINES // 2 :])
        parts.append("\n".join(_whole_words(line, MAX_SAMPLE_LINE_CHARS) for line in lines))
    return encodable(kept("\n".join(parts)))[:MAX_SAMPLE_CHARS]


def _written(error: Found) -> list[str]:
    """A traceback written anew from its frames."""
    lines = ["Traceback (most recent call last):"]
    for frame in error.frames:
        lines.append(
            f'  File "{frame.file}", line {frame.line}' + (f", in {frame.function}" if frame.function else "")
        )
        if frame.code:
            lines.append(f"    {frame.code}")
    return [*lines, f"{error.exception}: {error.message}" if error.exception else error.message]


def _line_with(lines: list[bytes], start: int, text: str) -> int:
    """The raw line, from that one on, in which a text stands; -1 where it is none."""
    telling = text.encode("utf-8", "replace")
    if telling:
        for number in range(min(start, len(lines)), len(lines)):
            if telling in lines[number]:
                return number
    return -1


def _labels(region: bytes) -> list[bytes]:
    """The labels that tell whose line it is, in their order; most logs have none."""
    if (
        b"ank" in region
        or b"[default" in region
        or b"worker" in region
        or b"pid=" in region
        or FIRST_LABEL.match(region)
    ):
        return [next(filter(None, groups)) for groups in LABEL.findall(region)]
    return []


def _said_rank(region: bytes) -> int | None:
    found = LAUNCHER.search(region)
    rank = LAUNCHER_RANK.search(region, found.end()) if found else None
    return int(rank[1][:6]) if rank else None


def _host_of(head: bytes, data: bytes) -> str | None:
    for part in (head, data[-MAX_REGION_BYTES:]):
        found = HOST.search(part) if part and _naming().search(part) else None
        if found:
            name: bytes = next(filter(None, found.groups()))
            return name.decode("utf-8", "replace").rstrip(".")
    return None


def _first_stamp(data: bytes) -> float | None:
    found = STAMP.search(data, 0, STAMP_BYTES[0])
    return _seconds(found[0]) if found else None


def _last_stamp(data: bytes) -> float | None:
    for size in reversed(STAMP_BYTES):  # most logs have one in their last lines
        found = STAMP.findall(data[-size:])
        if found:
            return _seconds(found[-1])
    return None


def _seconds(stamp: bytes) -> float | None:
    try:
        return datetime.fromisoformat(stamp.decode() + "+00:00").timestamp()
    except ValueError:
        return None
