"""What is built lives in the cache folder: each thing in a folder named by its fingerprint, built beside it under a
lock and then renamed. The loser of a race discards its own, readers keep the old one, a killed build leaves only a
temporary folder that the next build clears away.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from . import locations
from .errors import StoreError

KEEP = 3  # newest folders of a kind that stay when a new one is made
STALE = 3600.0  # seconds after which a temporary folder without a living builder is cleared away


def stat_key(files: Iterable[Path]) -> str:
    """A key that changes when any of the files changes: paths, sizes and times, not contents."""
    digest = hashlib.sha256()
    for path in files:
        try:
            status = path.stat()
            digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
        except OSError:
            digest.update(f"{path}\0missing\n".encode())
    return digest.hexdigest()[:32]


def remembered(kind: str, key: str) -> str | None:
    """The fingerprint that this stat key stood for last time, or None."""
    try:
        return (locations.cache_folder() / "keys" / f"{kind}-{key}").read_text(encoding="ascii").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def remember(kind: str, key: str, fingerprint: str) -> None:
    """Note a fingerprint for a stat key; without write access nothing is noted and nothing is lost."""
    folder = locations.cache_folder() / "keys"
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(fingerprint)
        os.replace(name, folder / f"{kind}-{key}")
        old = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)[:-200]
        for path in old:
            path.unlink(missing_ok=True)


def read_meta(folder: Path, format: int) -> dict[str, Any] | None:
    """The folder's meta.json if it is whole and of this format."""
    try:
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return meta if isinstance(meta, dict) and meta.get("format") == format else None


def build(name: str, format: int, make: Callable[[Path], dict[str, Any]]) -> Path:
    """Return the folder `name` of the cache, made by `make(temporary folder) -> meta` if it is not there yet.

    Raises StoreError where the cache folder cannot be written; what `make` raises goes through, nothing stays behind.
    """
    from filelock import FileLock, Timeout

    root = locations.cache_folder()
    target = root / name
    if read_meta(target, format):
        return target
    try:
        root.mkdir(parents=True, exist_ok=True)
        lock = FileLock(root / f"{name.split('-')[0]}.lock")
        with lock.acquire(timeout=600):
            if read_meta(target, format):
                return target  # another process was faster
            _clear_stale(root)
            work = Path(tempfile.mkdtemp(prefix=f"tmp-{os.getpid()}-", dir=root))
            try:
                meta = {"format": format, **make(work)}
                (work / "meta.json").write_text(json.dumps(meta, indent=1, ensure_ascii=False, sort_keys=True), encoding="utf-8")
                if target.exists():  # of another format, or damaged
                    shutil.rmtree(target)
                os.replace(work, target)
            finally:
                shutil.rmtree(work, ignore_errors=True)
            _prune(root, name)
    except Timeout as error:
        raise StoreError(f"another process has been building in {root} for ten minutes; end it, or try again") from error
    except PermissionError as error:
        raise StoreError(f"the cache folder {root} cannot be written ({error.strerror}); set TORCHWHY_CACHE to another") from error
    except OSError as error:
        raise StoreError(f"the cache folder {root} cannot be used: {error}; set TORCHWHY_CACHE to another") from error
    return target


def _clear_stale(root: Path) -> None:
    """Remove temporary folders whose builder is gone (killed in the middle)."""
    for path in root.glob("tmp-*"):
        parts = path.name.split("-")
        if not _alive(int(parts[1]) if parts[1].isdigit() else 0) or time.time() - path.stat().st_mtime > STALE:
            shutil.rmtree(path, ignore_errors=True)


def _alive(pid: int) -> bool:
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _prune(root: Path, name: str) -> None:
    """Keep the newest few folders of a kind; a reader that has one open keeps its files (POSIX) or it stays (Windows)."""
    kind = name.split("-")[0]
    folders = [path for path in root.glob(f"{kind}-*") if path.is_dir() and path.name != name]
    for path in sorted(folders, key=lambda path: path.stat().st_mtime)[: -KEEP or None]:
        shutil.rmtree(path, ignore_errors=True)
