"""Recorded proofs: what confirming every entry showed, one JSON file per machine and torch release.

Shipped with the package (`data/shipped/evidence`) and the user's own (in the data folder). A page says of an
entry where it was last confirmed. For that it reads `index.json`, the newest good verdict of each entry,
which is written along with them: one file of some 25 KB, never all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypedDict, cast

from torchwhy.runtime import locations
from torchwhy.runtime.json_types import JSONObject

from .entry import Pitfall
from .script_hashes import file_hash

SCHEMA = 1
INDEX = "index.json"
GOOD = ("reproduces-here", "confirmed")
SAYS_NOTHING = ("cannot-run", "timeout", "broken-entry")  # verdicts that tell nothing of a torch release


class ProofRow(TypedDict):
    """What confirming one entry showed. `sha256`: of the script that ran, None where the entry has none."""

    sha256: str | None
    verdict: str
    date: str
    seconds: dict[str, float]
    message: str
    numbers: dict[str, JSONObject]
    reason: str


class ProofHead(TypedDict):
    """The machine and the torch that a file of recorded proofs is of."""

    schema: int
    device: str
    gpus: int
    driver: str | None
    torch: str | None
    cuda: str | None
    python: str
    platform: str
    cores: int
    date: str


class ProofFile(ProofHead):
    """A file of recorded proofs: its head, and a row of each entry by id."""

    entries: dict[str, ProofRow]


class LastConfirmed(NamedTuple):
    """Where and when an entry was last confirmed; `stale` if its script has changed since."""

    device: str
    torch: str
    date: str
    stale: bool = False


class RecordedRun(NamedTuple):
    """One recorded run of an entry's script as it is now: where, when, and its verdict."""

    device: str
    torch: str
    date: str
    verdict: str


def shipped_folder() -> Path:
    return locations.shipped("data") / "evidence"


def own_folder() -> Path:
    return locations.data_folder() / "evidence"


def last_seen(entry: Pitfall) -> LastConfirmed | None:
    """Where `entry` was last confirmed: on this user's machine if ever, else as shipped. None if it never
    was.

    Reads one index and the script; an index that cannot be read counts as none.
    """
    if entry.repro is None:
        return None
    try:
        present = file_hash(entry.repro)
    except OSError:
        return None
    stale: LastConfirmed | None = None
    for folder in (own_folder(), shipped_folder()):
        row = cached_index(folder).get(entry.id)
        if row is not None:
            device, torch, date, sha256 = row
            if sha256 == present:
                return LastConfirmed(device, torch, date)
            stale = stale or LastConfirmed(device, torch, date, stale=True)
    return stale


@lru_cache(maxsize=8)
def cached_index(folder: Path) -> dict[str, list[str]]:
    """{id: [device, torch, date, SHA-256 of the script]} of a folder's index; {} where it cannot be read."""
    try:
        rows = json.loads((folder / INDEX).read_text("utf-8"))["entries"].items()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return {id: row for id, row in rows if isinstance(row, list) and len(row) == 4}


def files(folder: Path) -> Iterator[tuple[Path, ProofFile]]:
    """Every file of a folder that can be read, by name."""
    for path in sorted(folder.glob("*.json")):
        if path.name != INDEX:
            data = read_file(path)
            if data is not None:
                yield path, data


def read_file(path: Path) -> ProofFile | None:
    """One file; None where it is missing, damaged or of another schema."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    good = isinstance(data, dict) and data.get("schema") == SCHEMA and isinstance(data.get("entries"), dict)
    return cast(ProofFile, data) if good else None


def release_key(torch: str | None) -> tuple[int, ...]:
    """A torch release as numbers that sort: "2.13.0+cpu" -> (2, 13, 0)."""
    return tuple(int(part) for part in str(torch).split("+")[0].split(".") if part.isdigit())


def runs(entry: Pitfall) -> list[RecordedRun]:
    """Every recorded run of the entry's present script that says something, the newest torch first (reads all
    the files).
    """
    if entry.repro is None:
        return []
    present = file_hash(entry.repro)
    found: dict[tuple[str, str], RecordedRun] = {}
    for folder in (own_folder(), shipped_folder()):
        for _, data in files(folder):
            row = data["entries"].get(entry.id)
            if row and row["sha256"] == present and row["verdict"] not in SAYS_NOTHING:
                run = RecordedRun(data["device"], str(data["torch"]), row["date"], row["verdict"])
                found.setdefault((run.device, run.torch), run)
    return sorted(found.values(), key=lambda run: release_key(run.torch), reverse=True)
