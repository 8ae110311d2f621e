"""From what the user names to files to read: folders, globs, addresses, a list."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, NamedTuple

from torchwhy.errors import UsageError
from torchwhy.runtime.install import install_line
from torchwhy.runtime.plain_files import entries_below, open_plain
from torchwhy.text.plain import encodable, escaped

ADDRESS = re.compile(r"^[a-z][a-z0-9+.-]{1,20}://")
# a secret can hold a slash (`s3://AKIA...:wJalr/...@bucket`); behind a port an @ is part of the path
CREDENTIALS = re.compile(r"^([a-z0-9+.-]+://)(?:[^/@]*|[^/@:]*:(?![0-9]{0,5}/)[^@]*)@")
PACKED = re.compile(r"(?i)\.(?:gz|zst|bz2|xz)$")


class LogSource(NamedTuple):
    """A file to read: its path (bytes that are not UTF-8 as surrogates), size in bytes, and a mark of its
    last change.
    """

    path: str
    size: int
    mtime: str


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
    """A file's bytes, decompressed by its name. Raises UsageError, OSError and what a driver of a file system
    raises.
    """
    with contextlib.ExitStack() as stack:
        if ADDRESS.match(path):
            raw: IO[bytes] = stack.enter_context(_fsspec().open(path, "rb"))
        else:
            raw = stack.enter_context(open_plain(path, buffered=False))
        if PACKED.search(path):
            kind = _fsspec().utils.infer_compression(path.lower())
            if kind is None:
                raise UsageError(f"this needs zstandard: {install_line('triage')}")
            raw = _fsspec().compression.compr[kind](raw, mode="rb")
        yield raw
