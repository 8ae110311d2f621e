"""Opening a file that somebody else named or made, so that nothing is waited for; writing a private one; what
lies below a folder.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO


class _Unwaiting(io.FileIO):
    """What gives nothing for now is an error: some files of the kernel, as /proc/kmsg, look like plain
    ones and would wait for ever.
    """

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        count = super().readinto(buffer)
        if count is None:
            raise _nothing(self.name)
        return count

    def read(self, size: int | None = -1, /) -> bytes:
        found = super().read(-1 if size is None else size)
        if found is None:
            raise _nothing(self.name)
        return found

    def readall(self) -> bytes:
        found = super().readall()
        if found is None:
            raise _nothing(self.name)
        return found


def _nothing(name: object) -> OSError:
    return BlockingIOError(errno.EAGAIN, "no plain file: it waits for what is to come", str(name))


def open_plain(path: str | os.PathLike[str], *, buffered: bool = True) -> IO[bytes]:
    """The bytes of a regular file. Raises OSError for anything else, and ValueError for what no path is.

    A link is followed. It is looked at before it is opened, since that may act on a device, and once more
    afterwards.
    """
    _refuse_irregular(os.stat(path), path)
    raw = _Unwaiting(os.fspath(path), "rb", opener=_without_waiting)
    try:
        _refuse_irregular(os.fstat(raw.fileno()), path)
    except OSError:
        raw.close()
        raise
    return io.BufferedReader(raw) if buffered else raw


def write_private(path: str | os.PathLike[str], text: str) -> None:
    """Write a text for this user alone; a file that was there is closed to others too. Raises OSError, of a
    pipe that nobody reads as well.
    """
    handle = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | getattr(os, "O_NONBLOCK", 0), 0o600)
    if os.name == "posix":
        os.set_blocking(handle, True)
    with open(handle, "w", encoding="utf-8") as file:
        if os.name == "posix" and stat.S_ISREG(os.fstat(handle).st_mode):
            with suppress(OSError):  # another user's, who has to close it himself
                os.fchmod(handle, 0o600)
        file.write(text)


def replace_private(path: str | os.PathLike[str], text: str, mode: int = 0o600) -> None:
    """Put a file with this text, whole or not at all, in the place of another. Raises OSError."""
    import tempfile

    handle, beside = tempfile.mkstemp(prefix=".tmp-", dir=os.path.dirname(path))
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def _without_waiting(name: str, flags: int) -> int:
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _refuse_irregular(status: os.stat_result, path: str | os.PathLike[str]) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "no regular file", os.fspath(path))


def entries_below(
    folder: str,
    entered: Callable[[os.DirEntry[str]], bool],
    unread: Callable[[str, OSError], None] = lambda folder, error: None,
) -> Iterator[os.DirEntry[str]]:
    """What lies below a folder and is none, by name, of each folder first what lies in it; of its folders
    those that are `entered`. `unread` hears of one that cannot be listed; links to folders are not followed.

    Without recursion, which `os.walk` has before Python 3.12: an archive can hold folders deeper than Python
    calls.
    """
    todo = [folder]
    while todo:
        above = todo.pop()
        try:
            with os.scandir(above) as found:
                entries = sorted(found, key=lambda each: each.name)
        except OSError as error:
            unread(above, error)
            continue
        inner = []
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                yield entry
            elif entered(entry):
                inner.append(entry.path)
        todo += reversed(inner)
