"""Evidence: what confirming every entry showed, one JSON file per machine and torch release.

Shipped with the package (`data/evidence`) and the user's own (in the data folder). A page says of an entry where it was
last confirmed. For that it reads `index.json`, the newest good verdict of each entry, which is written along with the
evidence: one file of some 25 KB, never all the evidence.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from . import locations
from .hashes import file_hash
from .types import Pitfall

SCHEMA = 1
INDEX = "index.json"
GOOD = ("reproduces-here", "confirmed")


@dataclass(frozen=True, slots=True)
class Seen:
    """Where and when an entry was last confirmed; `stale` if its script has changed since."""

    device: str
    torch: str
    date: str
    stale: bool = False


def shipped_folder() -> Path:
    return locations.shipped("data") / "evidence"


def own_folder() -> Path:
    return locations.data_folder() / "evidence"


def last_seen(entry: Pitfall) -> Seen | None:
    """Where `entry` was last confirmed: on this user's machine if ever, else as shipped. None where nowhere.

    Reads one index and the script; an index that cannot be read counts as none.
    """
    if entry.repro is None:
        return None
    try:
        present = file_hash(entry.repro)
    except OSError:
        return None
    found: Seen | None = None
    for folder in (own_folder(), shipped_folder()):
        row = _index(folder).get(entry.id)
        if row is not None:
            seen = Seen(row[0], row[1], row[2], stale=row[3] != present)
            if not seen.stale:
                return seen
            found = found or seen
    return found


@lru_cache(maxsize=8)
def _index(folder: Path) -> dict[str, list[str]]:
    try:
        found = json.loads((folder / INDEX).read_text("utf-8"))["entries"].items()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return {id: row for id, row in found if isinstance(row, list) and len(row) == 4}


def files(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every evidence file of a folder that can be read, by name."""
    for path in sorted(folder.glob("*.json")):
        if path.name != INDEX:
            data = read(path)
            if data is not None:
                yield path, data


def read(path: Path) -> dict[str, Any] | None:
    """One evidence file; None where it is missing, damaged or of another schema."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    good = isinstance(data, dict) and data.get("schema") == SCHEMA and isinstance(data.get("entries"), dict)
    return data if good else None


def write_file(path: Path, data: Mapping[str, Any]) -> None:
    """Write whole or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".tmp-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(data, ensure_ascii=False, indent=1) + "\n")
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def index_of(folder: Path) -> dict[str, Any]:
    """The index of a folder's evidence: of each entry the newest good verdict (of one day: the newest torch)."""
    best: dict[str, tuple[Any, list[str]]] = {}
    for _, data in files(folder):
        for id, row in data["entries"].items():
            if row["verdict"] in GOOD:
                key = (row["date"], tuple(int(part) for part in data["torch"].split("+")[0].split(".") if part.isdigit()))
                if id not in best or key >= best[id][0]:
                    best[id] = (key, [data["device"], data["torch"], row["date"], row["sha256"]])
    return {"schema": SCHEMA, "entries": {id: best[id][1] for id in sorted(best)}}


def write_index(folder: Path) -> None:
    """Bring a folder's index in step with its files. Raises OSError."""
    write_file(folder / INDEX, index_of(folder))
    _index.cache_clear()


def versions(id: str) -> list[str]:
    """Every "torch X on DEVICE" that an entry was confirmed with, shipped and own (reads all the evidence)."""
    found = {
        f"torch {data['torch']} on {data['device']}": None
        for folder in (shipped_folder(), own_folder())
        for _, data in files(folder)
        if data["entries"].get(id, {}).get("verdict") in GOOD
    }
    return list(found)


@dataclass(frozen=True, slots=True)
class Run:
    """One recorded run of an entry's script as it is now: where, when, and its verdict."""

    device: str
    torch: str
    date: str
    verdict: str


def runs(entry: Pitfall) -> list[Run]:
    """Every recorded run of the entry's present script that says something, the newest torch first (reads all the evidence)."""
    if entry.repro is None:
        return []
    present = file_hash(entry.repro)
    found: dict[tuple[str, str], Run] = {}
    for folder in (own_folder(), shipped_folder()):
        for _, data in files(folder):
            row = data["entries"].get(entry.id)
            if row and row["sha256"] == present and row["verdict"] not in ("cannot-run", "timeout", "broken-entry"):
                found.setdefault((data["device"], data["torch"]), Run(data["device"], data["torch"], row["date"], row["verdict"]))
    return sorted(found.values(), key=lambda run: [int(part) for part in run.torch.split("+")[0].split(".") if part.isdigit()], reverse=True)
