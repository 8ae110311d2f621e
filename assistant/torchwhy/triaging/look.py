"""A look at one log: whether it failed, with which error, in which rank. Most logs are healthy, and are
answered by one search.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import lru_cache
from typing import IO, Any

import re2

from torchwhy.errors import UsageError
from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Found, Paste
from torchwhy.paste.place import here_of, package_of
from torchwhy.paste.reading import MAX_WHOLE_BYTES, read_text
from torchwhy.text.exits import kept
from torchwhy.text.plain import encodable

from .baseline import is_good, without_good
from .fingerprint import fingerprint
from .row import Look
from .signs import (
    BARE,
    FOLLOWED,
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
)

BLOCK_BYTES = 1 << 20
CARRY_BYTES = 8 << 10  # of a block, searched again with the next one, since an error may begin there
EDGE_BYTES = 4 << 10  # of a log's ends, where its host and its time stamps are looked for
STAMP_BYTES = 1 << 10, 1 << 8  # of them, at most, where a stamp is looked for; and at first, in the tail
MAX_REGION_BYTES = 256 << 10  # of a log from its first sign of an error on, what is parsed
MAX_ERROR_CHARS = 500
MAX_SAMPLE_ERRORS, MAX_SAMPLE_LINES, MAX_SAMPLE_CHARS = 6, 60, 12_000
MAX_SAMPLE_LINE_CHARS = 2000
EXCERPT_LINES_ABOVE, MAX_EXCERPT_LINES, MAX_EXCERPT_CHARS = 3, 24, 2000
MIN_PROGRESS = 3  # lines of progress after an error from which it was handled
MAX_LINE_BYTES = 8000  # of a line that holds a message
MAX_RANK = 1_000_000


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


class Looker:
    """Looks at logs, one after the other.

    A text to ask is made of the log with the least hash of all with its fingerprint, so that the order of
    logs does not matter. good: what good runs print (`baseline.py`).
    """

    def __init__(self, good: frozenset[str] = frozenset()) -> None:
        self._least: dict[str, str] = {}
        self._good = good

    def look(self, stream: IO[bytes], look: Look) -> bytes:
        """Read a log to its end and write into `look` what it shows; gives the log's first bytes if a job's
        or a host's name may stand there.

        Raises UsageError for a binary file, OSError, EOFError and what else a stream raises.
        """
        data = _whole(stream, look.size)
        whole = len(data) <= MAX_WHOLE_BYTES
        head, tail = data[:EDGE_BYTES], data[-EDGE_BYTES:]
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            data = (data + stream.read(8 * MAX_WHOLE_BYTES)).decode("utf-16", "replace").encode()
            head, tail = data[:EDGE_BYTES], data[-EDGE_BYTES:]
        elif b"\0" in data and data[:65_536].count(0) > 4:
            raise UsageError("a binary file, not a log")
        if len(data) > MAX_WHOLE_BYTES and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            data, tail = _reduced(data, stream)
        look.start, look.end = _first_stamp(head), _last_stamp(tail)
        first = _signs().search(data)
        if first is not None:
            self._failing(data, first.start(), look)
            if whole and look.line is not None:
                look.line += data.count(b"\n", 0, first.start()) + 1
            else:
                look.line = None
        if not _naming().search(head):
            head = b""
        look.host = _host_of(head, data[first.start() :] if first is not None else b"")
        return head

    def _failing(self, data: bytes, first: int, look: Look) -> None:
        begin = data.rfind(b"\n", 0, first) + 1
        region = data[begin:]
        cut = len(region) > MAX_REGION_BYTES
        if cut:
            half = MAX_REGION_BYTES // 2
            region = region[: region.rfind(b"\n", 0, half) + 1 or half] + region[-half:]
        if b"Root Cause (first" in region:
            look.said_rank = _said_rank(region)
        paste = without_good(parse(region.decode("utf-8", "replace")), self._good)
        root = self._root(paste)
        if root is None:
            return
        lines = region.split(b"\n")
        line = _line_with(lines, root.start, root.message.partition("\n")[0][:60])
        last = max(line + 1, min(root.end, len(lines)))
        order = _order(root)
        # a message may seem to go on over the lines of progress below it
        after = b"\n".join(lines[line + 1 if line >= 0 else last :])
        if order < 3 and len(PROGRESS.findall(after)) >= MIN_PROGRESS * max(1, _ranks(region)):
            return
        here, package = here_of(paste), package_of(paste)
        error = f"{root.name}: {root.message}" if root.exception else root.message
        look.order, look.exception, look.fingerprint = order, root.name, fingerprint(root)
        look.package, look.torch = package.name if package else None, paste.torch
        look.error = _told_error(error.partition("\n")[0].rstrip())
        look.user_frame = _redacted(here.place) if here else None
        look.line = line if line >= 0 and not cut else None
        look.excerpt = _excerpt(paste, root)
        if root.rank is not None and root.rank < MAX_RANK:
            look.rank = root.rank
        look.time = (
            _last_stamp(b"\n".join(lines[:last])[-EDGE_BYTES:])
            or _last_stamp(data[max(0, begin - EDGE_BYTES) : begin])
            or look.end
        )
        mark = hashlib.blake2b(region).hexdigest()[:24]
        if mark < self._least.get(look.fingerprint, "~"):
            self._least[look.fingerprint] = mark
            look.sample, look.sample_hash = _sample(paste, root), mark

    def _root(self, paste: Paste) -> Found | None:
        """The error that the log's failure is; None where nothing in it failed. A job that its scheduler
        ended prints what it does below that.
        """
        root = paste.root
        if root is not None and root.role in ("root", "wrapper") and root.name not in LAUNCHED:
            ended = next((at for at in range(root.start) if " CANCELLED AT " in paste.lines[at]), None)
            return root if ended is None else Found("root", "", paste.lines[ended].strip(), ended, ended + 1)
        said = root is not None and root.role not in ("warning", "advice") and not _is_teardown(paste, root)
        return _bare(paste, self._good) or (root if said else None)


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


def _bare(paste: Paste, good: frozenset[str]) -> Found | None:
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
        if is_good(line, good):
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


def _excerpt(paste: Paste, root: Found) -> str:
    """The log's lines down to the error, redacted: what a person looks at."""
    lines = paste.lines[max(0, root.start - EXCERPT_LINES_ABOVE) : root.end]
    if len(lines) > MAX_EXCERPT_LINES:
        half = MAX_EXCERPT_LINES // 2
        lines = (*lines[:half], "...", *lines[-half:])
    return encodable(kept("\n".join(_whole_words(line, MAX_ERROR_CHARS) for line in lines)))[
        :MAX_EXCERPT_CHARS
    ]


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


def _ranks(region: bytes) -> int:
    """How many labels tell whose line it is; most logs have none."""
    return len({next(filter(None, groups)) for groups in LABEL.findall(region)})


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
