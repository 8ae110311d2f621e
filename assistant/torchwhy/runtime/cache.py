"""The cache folder, where everything that is built lives: each thing in a folder named by its fingerprint.

It is built in a temporary folder beside that, under a lock, and then renamed. Of two processes that build the
same thing the slower one takes the other's; readers keep the old one open; a killed build leaves only a
temporary folder, which the next build removes.

meta.json carries the length, the hash and the times of every file beside it, and a hash of itself (`seal`). A
reader compares lengths and times, which costs some microseconds; only where the times differ are the files
hashed. So damage by anything that writes is found at the next start, and no question waits for megabytes to
be hashed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from . import locations
from .plain_files import open_plain, replace_private


class CacheError(OSError):
    """The cache folder cannot be used; the message says why and what to do."""


META_FILE = "meta.json"
MAX_META_BYTES = 64 << 20
READ_BYTES = 1 << 20  # at a time, when a file is hashed
KEPT_FOLDERS = 3  # newest ones of a kind that stay when a new one is made
LOCK_TIMEOUT_S = 600.0  # for another process's build
STALE_AFTER_S = 3600.0  # from then on a temporary folder without a living builder is cleared away


def stat_key(files: Iterable[str | Path]) -> str:
    """A key that changes when any of the files changes: paths, sizes and times, not contents."""
    lines = []
    for path in files:
        try:
            status = os.stat(path)
            lines.append(f"{path}\0{status.st_size}\0{status.st_mtime_ns}")
        except OSError:
            lines.append(f"{path}\0missing")
    return hashlib.sha256(os.fsencode("\n".join(lines))).hexdigest()[:32]


def remembered(kind: str, key: str) -> str | None:
    """The fingerprint that this stat key stood for last time, or None."""
    try:
        text = _read(locations.cache_folder() / "keys" / f"{kind}-{key}").decode("ascii")
    except (OSError, UnicodeDecodeError):
        return None
    fingerprint, _, check = text.partition(" ")
    return fingerprint if fingerprint and check == _check_of(fingerprint) else None


def _check_of(fingerprint: str) -> str:
    return hashlib.sha256(fingerprint.encode()).hexdigest()[:8]


def remember(kind: str, key: str, fingerprint: str) -> None:
    """Note a fingerprint for a stat key; without write access nothing is noted and nothing is lost."""
    folder = locations.cache_folder() / "keys"
    with contextlib.suppress(OSError):
        locations.make_private(locations.cache_folder())
        locations.make_private(folder)
        replace_private(folder / f"{kind}-{key}", f"{fingerprint} {_check_of(fingerprint)}")
        old = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)[:-200]
        for path in old:
            path.unlink(missing_ok=True)


def _read(path: Path) -> bytes:
    """What a small file holds. Waits for no pipe, and reads of nothing without end. Raises OSError."""
    with open_plain(path) as file:
        return file.read(MAX_META_BYTES)


def read_meta(folder: Path, format: int) -> dict[str, Any] | None:
    """The folder's meta.json if that and every file it names are whole, and of this format."""
    try:
        meta = json.loads(_read(folder / META_FILE).decode("utf-8"))
        if not isinstance(meta, dict) or meta.get("format") != format or meta.get("seal") != _seal_of(meta):
            return None
        times = {name: _times_of(folder / name) for name in meta["built"]}
        if any(meta["built"][name][0] != times[name][0] for name in times):
            return None
        moved = [name for name in times if meta["built"][name][2:] != times[name][1:]]
        if any(meta["built"][name][1] != _hash_of(folder / name) for name in moved):
            return None
    except (OSError, ValueError, RecursionError, KeyError, TypeError, IndexError):
        return None
    if moved:  # a copy, or a file that was written again with what it held
        with contextlib.suppress(OSError):
            write_meta(folder, meta, format)
    return meta


def write_meta(folder: Path, meta: Mapping[str, Any], format: int) -> None:
    """Seal a folder: note lengths, hashes and times of its files in its meta.json. Raises OSError.

    What lies in the installation holds nothing of a user's, and stays open to all who share that.
    """
    files = sorted(path for path in folder.iterdir() if path.name != META_FILE and path.is_file())
    installed = folder.is_relative_to(locations.PACKAGE) and (folder / META_FILE).exists()
    for path in files:
        if path.stat().st_mode & 0o077 and not installed:
            path.chmod(0o600)
    built = {}
    for path in files:
        size, *times = _times_of(path)
        built[path.name] = [size, _hash_of(path), *times]
    sealed = {**meta, "format": format, "built": built}
    sealed["seal"] = _seal_of(sealed)
    mode = stat.S_IMODE((folder / META_FILE).stat().st_mode) if installed else 0o600
    replace_private(
        folder / META_FILE, json.dumps(sealed, indent=1, ensure_ascii=False, sort_keys=True), mode
    )


def _seal_of(meta: Mapping[str, Any]) -> str:
    rest = {name: value for name, value in meta.items() if name != "seal"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def _times_of(path: Path) -> list[int]:
    """Length and times.

    No program can set the time of the last change back, so whatever writes shows in it.
    """
    status = path.stat()
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns]


def _hash_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(READ_BYTES):
            digest.update(part)
    return digest.hexdigest()


def discard(folder: Path) -> None:
    """Make a built folder count as damaged: something in it cannot be read, although it looks whole."""
    with contextlib.suppress(OSError):
        (folder / META_FILE).unlink()


def build(name: str, format: int, make: Callable[[Path], dict[str, Any]]) -> Path:
    """Return the folder `name` of the cache, made by `make(temporary folder) -> meta` if it is not there yet.

    Raises CacheError where the cache folder cannot be written; what `make` raises goes through, nothing stays
    behind.
    """
    import shutil
    import tempfile

    from filelock import FileLock, Timeout

    root = locations.cache_folder()
    target = root / name
    if read_meta(target, format):
        return target
    try:
        locations.make_private(root)
        path = root / f"{name.split('-')[0]}.lock"
        # filelock would wait for one that cannot be made as for one that is held
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        with FileLock(path, mode=0o600).acquire(timeout=LOCK_TIMEOUT_S):
            if read_meta(target, format):
                return target  # another process was faster
            _clear_stale(root)
            work = Path(tempfile.mkdtemp(prefix=f"tmp-{os.getpid()}-", dir=root))
            try:
                write_meta(work, make(work), format)
                if os.path.lexists(target):  # an older version made it, or it is damaged
                    print(
                        f"torchwhy: {name} in the cache was damaged or old; it was built anew",
                        file=sys.stderr,
                    )
                    _remove(target)
                os.replace(work, target)
            finally:
                shutil.rmtree(work, ignore_errors=True)
            _prune(root, name)
    except Timeout as error:
        raise CacheError(
            f"another process has been building in {root} for ten minutes; end it, or try again"
        ) from error
    except OSError as error:
        refused = isinstance(error, PermissionError)
        why = f"written ({error.strerror})" if refused else f"used: {error}"
        raise CacheError(f"the cache folder {root} cannot be {why}; set TORCHWHY_CACHE to another") from error
    return target


def _remove(path: Path) -> None:
    """Remove a folder, or what stands at its place."""
    import shutil

    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _clear_stale(root: Path) -> None:
    """Remove temporary folders whose builder is gone (killed in the middle)."""
    import shutil

    from .system import is_running

    for path in root.glob("tmp-*"):
        if not is_running(path.name.split("-")[1]) or time.time() - path.stat().st_mtime > STALE_AFTER_S:
            shutil.rmtree(path, ignore_errors=True)


def _prune(root: Path, name: str) -> None:
    """Keep the newest few folders of a kind; a reader that has one open keeps its files (POSIX) or it stays
    (Windows).
    """
    import shutil

    kind = name.split("-")[0]
    folders = [path for path in root.glob(f"{kind}-*") if path.is_dir() and path.name != name]
    for path in sorted(folders, key=lambda path: path.stat().st_mtime)[: -KEPT_FOLDERS or None]:
        shutil.rmtree(path, ignore_errors=True)
