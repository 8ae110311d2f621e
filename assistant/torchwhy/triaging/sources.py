"""From what the user names to files to read: folders, globs, addresses, a list; and from a file to the logs
in it: compressed, in an archive, in a table's rows.
"""

from __future__ import annotations

import contextlib
import glob
import io
import json
import os
import re
import sys
import tarfile
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import IO, Any, NamedTuple

from torchwhy.errors import UsageError
from torchwhy.runtime.install import install_line
from torchwhy.runtime.plain_files import entries_below, open_plain
from torchwhy.text.plain import encodable, escaped

from .row import arrow

ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]{1,20}://")
# a secret can hold a slash (`s3://AKIA...:wJalr/...@bucket`); behind a port an @ is part of the path
CREDENTIALS = re.compile(r"^([a-z0-9+.-]+://)(?:[^/@]*|[^/@:]*:(?![0-9]{0,5}/)[^@]*)@")
PACKED = re.compile(r"(?i)\.(?:gz|zst|bz2|xz)$")
TWO_IN_ONE = re.compile(r"(?i)\.t(gz|zst)$")  # .tgz for .tar.gz
ARCHIVE = re.compile(r"(?i)\.(?:tar(?:\.(?:gz|zst|bz2|xz))?|tgz|tzst)$")
TABLE = re.compile(r"(?i)\.(?:parquet|(?:jsonl|ndjson)(?:\.(?:gz|zst|bz2|xz))?)$")
TEXT_COLUMNS = ("log", "text", "content", "message")
NAME_COLUMNS = ("path", "file", "name")
READ_COLUMNS = frozenset([*TEXT_COLUMNS, *NAME_COLUMNS, "job", "rank", "host"])
RANKS = 1_000_000  # as many as a path can name; a larger number fits no column of a data set
MAX_NAME_CHARS = 4096  # of a job, a host and a name that a table gives
BATCH_ROWS = 64  # of a Parquet table, read at a time
MAX_FIRST_WRONG = 1000  # rows without a text, and no other: a table of something else
INSIDE = "!/"  # between an archive's path and a member's


class LogSource(NamedTuple):
    """A file to read: its path (bytes that are not UTF-8 as surrogates), size in bytes, and a mark of its
    last change.
    """

    path: str
    size: int
    mtime: str


class Log(NamedTuple):
    """One log in a file: its shown path, its bytes, and what the table's row says of job, rank and host."""

    path: str
    stream: IO[bytes]
    job: str | None = None
    rank: int | None = None
    host: str | None = None


def find(paths: Iterable[str], missing: Callable[[str, str], None]) -> Iterator[LogSource]:
    """Every file below these paths; "-" reads a list of paths from standard input, one a line.

    `missing(path, why)` hears of what cannot be listed. Raises UsageError for a path that is not there, if it
    stands in no list.
    """
    for path in paths:
        if path == "-":
            for line in sys.stdin.buffer:
                yield from _listed(os.fsdecode(line.rstrip(b"\r\n")), missing)
        elif ADDRESS.match(path):
            yield from _remote(path)
        elif os.path.isdir(path):
            yield from _below(path, missing)
        elif os.path.lexists(path):
            yield from _file(path, missing)
        else:
            found = sorted(glob.iglob(path, recursive=True)) if glob.has_magic(path) else []
            if not found:
                raise UsageError(f"{escaped(path)}: no such file or folder")
            for each in found:
                yield from _below(each, missing) if os.path.isdir(each) else _file(each, missing)


def _listed(path: str, missing: Callable[[str, str], None]) -> Iterator[LogSource]:
    """What a line of a list names. A log that is gone, or with an end of line in its name, costs no other."""
    try:
        yield from find([path] if path and path != "-" else [], missing)
    except UsageError:
        if ADDRESS.match(path):
            raise
        missing(shown(path), "no such file or folder")


def _below(folder: str, missing: Callable[[str, str], None]) -> Iterator[LogSource]:
    """The files below a folder but hidden ones."""

    def visible(entry: os.DirEntry[str]) -> bool:
        return not entry.name.startswith(".")

    def unread(inner: str, error: OSError) -> None:
        missing(shown(inner), error.strerror or str(error))

    for entry in filter(visible, entries_below(folder, visible, unread)):
        yield from _file(entry.path, missing, entry)


def _file(
    path: str, missing: Callable[[str, str], None], entry: os.DirEntry[str] | None = None
) -> Iterator[LogSource]:
    try:
        status = entry.stat() if entry else os.stat(path)
    except OSError as error:
        missing(shown(path), error.strerror or str(error))
        return
    if (status.st_mode & 0o170000) == 0o100000:  # a FIFO or a device would wait for ever
        yield LogSource(path, status.st_size, str(status.st_mtime_ns))
    else:
        missing(shown(path), "not a file")


def _fsspec() -> Any:
    try:
        import fsspec
    except ImportError:
        raise UsageError(f"addresses need fsspec: {install_line('triage')}") from None
    return fsspec


def _remote(address: str) -> Iterator[LogSource]:
    """Files below an address that fsspec knows. Raises UsageError where it does not, or cannot be listed."""
    try:
        system, path = _fsspec().core.url_to_fs(address)
        listed = system.glob if glob.has_magic(path) else system.find
        found = listed(path, detail=True)
    except UsageError:
        raise
    except Exception as error:  # a driver of a file system raises what it likes
        raise UsageError(
            f"{escaped(shown(address))}: cannot be listed ({escaped(str(error)[:200])})"
        ) from error
    for name in sorted(found):
        info = found[name]
        if info.get("type") == "file":
            changed = (
                info.get("ETag") or info.get("mtime") or info.get("LastModified") or info.get("created") or ""
            )
            yield LogSource(system.unstrip_protocol(name), int(info.get("size") or 0), str(changed))


def shown(path: str) -> str:
    """A path as it is kept: UTF-8, a byte that is not as `\\xff`, of an address nothing that opens it."""
    if "://" in path:
        from torchwhy.text.exits import kept

        path, sign, query = encodable(CREDENTIALS.sub(r"\1", path)).partition("?")
        path += kept(sign + query)  # `?token=...`
    if path.isascii():
        return path
    return encodable(path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"))


@contextlib.contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """A file's bytes, decompressed. Raises OSError and what a driver of a file system raises."""
    with contextlib.ExitStack() as stack:
        if ADDRESS.match(path):
            raw: IO[bytes] = stack.enter_context(_fsspec().open(path, "rb"))
        else:
            raw = stack.enter_context(open_plain(path, buffered=False))
        yield _unpacked(path, raw)


def _unpacked(name: str, stream: IO[bytes]) -> IO[bytes]:
    """What a compressed file holds, by its name; any other as it is. Raises UsageError."""
    name = TWO_IN_ONE.sub(r".tar.\1", name)
    if not PACKED.search(name):
        return stream
    kind = _fsspec().utils.infer_compression(name.lower())
    if kind is None:
        raise UsageError(f"this needs zstandard: {install_line('triage')}")
    unpacked: IO[bytes] = _fsspec().compression.compr[kind](stream, mode="rb")
    return unpacked


def holds_many(path: str) -> bool:
    """Whether a file holds several logs."""
    return bool(ARCHIVE.search(path) or TABLE.search(path))


def logs_in(path: str) -> Generator[Log, None, None]:
    """The logs in an archive or a table, one after the other; each is to be read before the next is asked
    for. Raises what reading raises, for a damaged file after its last readable log.
    """
    if ARCHIVE.search(path):
        yield from _members(path)
    elif ".parquet" in path.lower():
        yield from _table_logs(path, _parquet_rows(path))
    else:
        yield from _table_logs(path, _json_rows(path))


class _Strict(tarfile.TarInfo):
    """A member whose damaged header is an error; tarfile takes it for the archive's end."""

    @classmethod
    def fromtarfile(cls, tarfile_: tarfile.TarFile) -> tarfile.TarInfo:  # type: ignore[override]
        try:
            return super().fromtarfile(tarfile_)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from error


def _members(path: str) -> Iterator[Log]:
    with opened(path) as stream, tarfile.open(fileobj=stream, mode="r|", tarinfo=_Strict) as archive:  # type: ignore[call-overload]
        for member in archive:
            if member.isfile() and not os.path.basename(member.name).startswith("."):
                content = archive.extractfile(member)
                if content is not None:
                    name = f"{shown(path)}{INSIDE}{shown(member.name)}"
                    yield Log(name, _unpacked(member.name, content))
            archive.members.clear()  # type: ignore[attr-defined]  # a million members stay no longer than needed


def _table_logs(path: str, rows: Iterable[Any]) -> Iterator[Log]:
    """The rows of a table as logs. One that is none costs itself alone; it is told at the end, since what is
    raised ends the table. One that begins with nothing else is another kind of table, and not read on. Raises
    OSError.
    """
    wrong, first, seen = 0, "", False
    for number, row in enumerate(rows):
        try:
            log = _row_log(path, number, row)
        except RowError as error:
            first = first or f"row {number}: {error}"
            wrong += 1
            if not seen and wrong >= MAX_FIRST_WRONG:
                break
        else:
            seen = True
            yield log
    if wrong:
        raise OSError(first + (f"; with it {wrong} rows are left out" if wrong > 1 else ""))


def _parquet_rows(path: str) -> Iterator[dict[str, Any]]:
    pa = arrow()
    with contextlib.ExitStack() as stack:
        if ADDRESS.match(path):
            raw = stack.enter_context(_fsspec().open(path, "rb"))
        else:
            raw = stack.enter_context(open_plain(path))
        try:
            schema = pa.parquet.read_schema(raw)
            nested = pa.types.is_nested
            columns = [each.name for each in schema if each.name in READ_COLUMNS and not nested(each.type)]
            table = pa.parquet.ParquetFile(raw)
            for batch in table.iter_batches(batch_size=BATCH_ROWS, columns=columns, use_threads=False):
                yield from batch.to_pylist()
        except MemoryError:
            raise
        except pa.ArrowException as error:
            raise OSError(f"not a Parquet table ({str(error)[:120]})") from error


def _json_rows(path: str) -> Iterator[Any]:
    """What each line of JSON holds; a RowError of one that holds none."""
    with opened(path) as stream, io.BufferedReader(stream) as lines:  # type: ignore[type-var]
        for line in filter(bytes.strip, lines):
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                yield RowError(f"not JSON ({str(error)[:80]})")


class RowError(Exception):
    """A table's row is no log."""


def _row_log(path: str, number: int, row: Any) -> Log:
    """A table's row as a log. Raises RowError for a row without a text."""
    if isinstance(row, RowError):
        raise row
    fields = row if isinstance(row, dict) else {}
    text = next((fields[name] for name in TEXT_COLUMNS if isinstance(fields.get(name), str | bytes)), None)
    if text is None:
        raise RowError(f"none of the columns {', '.join(TEXT_COLUMNS)} holds a text")
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    given = next((fields[name] for name in NAME_COLUMNS if fields.get(name) is not None), number)
    own, job, host = (_name(each) for each in (given, fields.get("job"), fields.get("host")))
    rank = fields.get("rank")
    return Log(
        f"{shown(path)}{INSIDE}{shown(own or '')}",
        io.BytesIO(data),
        job,
        rank if isinstance(rank, int) and 0 <= rank < RANKS else None,
        host,
    )


def _name(value: Any) -> str | None:
    """A name as a table gives it, no longer than one is; a batch's are in memory together."""
    return None if value is None else encodable(str(value)[:MAX_NAME_CHARS])
