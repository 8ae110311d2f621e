"""Is a shipped script still what was shipped?

`data/repro-hashes.json` holds the SHA-256 of every shipped repro.py. It is committed and goes into the wheel; a test
keeps it in step (`torchwhy kb hashes` writes it anew), so a hash is what a reviewer saw. Hashes taken when the
knowledge is compiled would be worth nothing: an edit before that would go into them.

`torchwhy confirm` runs a changed script only with `--edited`: a verdict is of use to others only if it is known what
ran. This is no defence against somebody who can write to the installation; they could change this file as well. A
folder given with --kb is its owner's own, and a script that is not listed is a new one: neither has anything to differ
from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from . import locations
from .errors import ConfirmError
from .types import Pitfall


def file_hash(path: str | Path) -> str:
    """SHA-256 of a script, line ends made alike (git on Windows changes them). Raises OSError."""
    return hashlib.sha256(Path(path).read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def hashes_file() -> Path:
    return locations.shipped("data") / "repro-hashes.json"


@lru_cache(maxsize=1)
def shipped_hashes() -> dict[str, str]:
    """Hash by id, as shipped; empty where the file is missing."""
    try:
        return dict(json.loads(hashes_file().read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def is_shipped(entry: Pitfall) -> bool:
    return Path(entry.folder).is_relative_to(locations.shipped("kb"))


def is_edited(entry: Pitfall) -> bool:
    """Whether a shipped entry's script differs from what was shipped."""
    wanted = shipped_hashes().get(entry.id)
    return entry.repro is not None and wanted is not None and is_shipped(entry) and file_hash(entry.repro) != wanted


def refuse_edited(entry: Pitfall) -> None:
    """Raises ConfirmError where a shipped script was changed."""
    if is_edited(entry):
        raise ConfirmError(f"{entry.repro} is not the script that was shipped; read it, then run it with --edited")


def write(entries: Iterable[Pitfall]) -> int:
    """Note the present hashes of all shipped entries; returns how many. Raises OSError."""
    found = {entry.id: file_hash(entry.repro) for entry in sorted(entries, key=lambda one: one.id) if entry.repro and is_shipped(entry)}
    hashes_file().write_text(json.dumps(found, indent=0) + "\n", "utf-8")
    shipped_hashes.cache_clear()
    return len(found)
