"""The folder of a leg: made for it alone, measured while it runs, removed whatever it left there."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator

# of the disk's free room, that a leg may not take; at most an eighth of what was there
MAX_SPARE_BYTES = 256 << 20
MAX_FILES = 500_000  # of a leg's folder: each takes an inode, and a disk has so many


@contextlib.contextmanager
def made() -> Iterator[str]:
    """An empty folder that other users cannot enter, whatever a leg does to its own; removed at the end."""
    outer = tempfile.mkdtemp(prefix="torchwhy-")
    try:
        yield outer
    finally:
        remove(outer)


def remove(folder: str) -> None:
    """Remove a folder with all that lies in it, as far as the system lets: folders in folders without end,
    and such as nobody may enter, too. No link is followed. Nobody else may change it meanwhile.
    """
    if sys.platform != "linux":
        with contextlib.suppress(RecursionError):
            shutil.rmtree(folder, ignore_errors=True)
        return
    pending = os.path.join(folder, uuid.uuid4().hex)
    with contextlib.suppress(OSError):
        os.chmod(folder, 0o700)
        os.mkdir(pending, 0o700)
        into = os.open(pending, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _empty(folder, into, os.path.basename(pending))
            while names := os.listdir(into):
                for name in names:
                    _empty(os.path.join(pending, name), into)
                    os.rmdir(name, dir_fd=into)
        finally:
            os.close(into)
        os.rmdir(pending)
        os.rmdir(folder)


def _empty(folder: str, into: int, kept: str = "") -> None:
    """Remove what lies in a folder, and move its folders to `into`: so none lies deep. Raises OSError."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        for name in os.listdir(opened):
            if name == kept:
                continue
            if stat.S_ISDIR(os.stat(name, dir_fd=opened, follow_symlinks=False).st_mode):
                os.chmod(name, 0o700, dir_fd=opened)
                os.rename(name, uuid.uuid4().hex, src_dir_fd=opened, dst_dir_fd=into)
            else:
                os.unlink(name, dir_fd=opened)
    finally:
        os.close(opened)


class Watched:
    """What a folder takes of its disk, measured from outside: what was written is not told of a process that
    nobody waits for, nor of room that is only set aside.

    The disk's free room is asked for each time; only where that fell by more than `most` bytes, or by
    MAX_FILES files, the folder is looked through.
    """

    def __init__(self, folder: str, most: int) -> None:
        self.folder, self.most = folder, most
        self._bytes, self._files = self._free()
        self._spare = min(MAX_SPARE_BYTES, self._bytes // 8)
        self._begun = self._bytes
        self._bytes -= most
        self._files -= MAX_FILES

    def exceeded(self, unnamed: int, mapped: Callable[[], bool] = lambda: False) -> str:
        """Which bound it exceeds, in words; "" where none. `unnamed`: bytes of files without a name;
        `mapped`: whether there are more of those, which nobody can count: they may be what the disk lost.
        """
        free, files = self._free()
        if 0 < free < self._spare:
            return f"disk limit: less than {self._spare >> 20} MiB of the disk are left"
        if free >= self._bytes and files >= self._files:
            return ""
        used, count = self._use()
        if used + unnamed > self.most:
            return f"disk limit: its files take more than {self.most >> 20} MiB"
        if count > MAX_FILES:
            return f"disk limit: more than {MAX_FILES} files"
        if free < self._begun - self.most and mapped():
            return f"disk limit: with a file without a name it may take more than {self.most >> 20} MiB"
        # others wrote as well
        self._bytes = free - max(self.most - used - unnamed, self.most // 8)
        self._files = files - max(MAX_FILES - count, MAX_FILES // 8)
        return ""

    def _free(self) -> tuple[int, int]:
        try:
            found = os.statvfs(self.folder)
        except OSError:
            return 0, 0
        return found.f_bavail * found.f_frsize, found.f_ffree

    def _use(self) -> tuple[int, int]:
        """Bytes and files, as far as they matter; a folder that cannot be looked into hides too many."""
        used, count, todo = 0, 0, [self.folder]
        while todo and used <= self.most and count <= MAX_FILES:
            try:
                with os.scandir(todo.pop()) as entries:
                    for entry in entries:
                        count += 1
                        with contextlib.suppress(FileNotFoundError):
                            used += entry.stat(follow_symlinks=False).st_blocks * 512
                            if entry.is_dir(follow_symlinks=False):
                                todo.append(entry.path)
            except OSError as error:
                if error.errno not in (errno.ENOENT, errno.ENOTDIR):
                    return self.most + 1, count
        return used, count
