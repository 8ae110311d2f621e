"""Reading a knowledge base: `<category>/<id>/pitfall.yaml` with `repro.py` beside it.

A folder name is the entry's id, the folder above it the category; neither is written inside. `load` never raises for
one broken entry: it returns the good ones and every problem of the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .errors import KnowledgeError
from .types import LookAlike, Pitfall, Problem

ENTRY_FILES = {"pitfall.yaml", "repro.py"}


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What `load` found: entries by id (sorted), problems, ids that were renamed or retired, and a fingerprint."""

    pitfalls: Mapping[str, Pitfall]
    problems: tuple[Problem, ...]
    renamed: Mapping[str, str]
    fingerprint: str


def entry_folders(root: Path) -> Iterator[Path]:
    """Every entry folder of a knowledge base, sorted by path. Raises KnowledgeError where there is no such folder."""
    if not root.is_dir():
        raise KnowledgeError(f"{root}: no such knowledge base folder; give one with --kb DIR or TORCHWHY_KB")
    for category in sorted(path for path in root.iterdir() if path.is_dir() and not path.name.startswith((".", "_"))):
        yield from sorted(path for path in category.iterdir() if path.is_dir() and path.name != "__pycache__")


def load_documents(path: Path | None) -> dict[str, Any]:
    """The source documents that entries may cite, by key."""
    if path is None or not path.is_file():
        return {}
    import yaml

    return dict(yaml.safe_load(path.read_text(encoding="utf-8")) or {})


def load(roots: Iterable[Path], documents: Mapping[str, Any]) -> Knowledge:
    """Load the knowledge bases in order; a later folder's entry replaces an earlier one of the same id."""
    from .schema import read_entry

    pitfalls: dict[str, Pitfall] = {}
    problems: list[Problem] = []
    renamed: dict[str, str] = {}
    digest = hashlib.sha256()
    for root in roots:
        renamed.update(_renamed(root))
        found_here: set[str] = set()
        for folder in entry_folders(root):
            entry, found = _load_one(root, folder, documents, read_entry, digest)
            problems += found
            if entry and entry.id in found_here:
                problems.append(Problem(str(folder), "id", entry.id, "an id that stands once; another category has it"))
            elif entry:
                found_here.add(entry.id)
                pitfalls[entry.id] = entry
    digest.update(repr(sorted(renamed.items())).encode())
    pitfalls = dict(sorted(_mirrored(pitfalls).items()))
    return Knowledge(pitfalls, tuple(problems), renamed, digest.hexdigest())


def _renamed(root: Path) -> dict[str, str]:
    path = root / "renamed.yaml"
    if not path.is_file():
        return {}
    import yaml

    return {str(old): str(new) for old, new in (yaml.safe_load(path.read_text(encoding="utf-8")) or {}).items()}


def _load_one(root: Path, folder: Path, documents: Mapping[str, Any], read_entry: Any, digest: Any) -> tuple[Pitfall | None, list[Problem]]:
    shown = f"{folder.parent.name}/{folder.name}"
    path = folder / "pitfall.yaml"
    problems = [
        Problem(f"{shown}/{stray.name}", "(file)", stray.name, "only pitfall.yaml and repro.py in an entry's folder")
        for stray in sorted(folder.iterdir())
        if stray.name not in ENTRY_FILES and stray.name != "__pycache__"
    ]
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None, [*problems, Problem(shown, "(file)", "no pitfall.yaml", "an entry; copy kb/_template")]
    except (OSError, UnicodeDecodeError) as error:
        return None, [*problems, Problem(f"{shown}/pitfall.yaml", "(file)", str(error), "a readable UTF-8 file")]
    digest.update(f"{shown}\0{text}\0".encode())
    entry, found = read_entry(
        text, file=f"{shown}/pitfall.yaml", id=folder.name, category=folder.parent.name, folder=str(folder),
        documents=documents,
    )  # fmt: skip
    problems += found
    has_repro = (folder / "repro.py").is_file()
    if entry and has_repro == (entry.no_repro is not None):
        wanted = "no repro.py where repro.none gives a reason" if has_repro else "repro.py, or repro.none with the reason"
        problems.append(Problem(shown, "repro", "repro.py" if has_repro else "no repro.py", wanted))
    return (None if problems else entry), problems


def _mirrored(pitfalls: dict[str, Pitfall]) -> dict[str, Pitfall]:
    """Each look-alike pair is declared once; add the other direction (without a near-miss of its own)."""
    declared = {id: {pair.id for pair in entry.look_alikes} for id, entry in pitfalls.items()}
    result = {}
    for id, entry in pitfalls.items():
        back = sorted(other for other, pairs in declared.items() if id in pairs and other not in declared[id])
        kept = tuple(pair for pair in entry.look_alikes if pair.id in pitfalls)
        result[id] = replace(entry, look_alikes=kept + tuple(LookAlike(other) for other in back))
    return result


def dangling(roots: Iterable[Path], documents: Mapping[str, Any]) -> list[Problem]:
    """Look-alikes that name no entry. `load` drops them so that an answer never points at nothing."""
    from .schema import read_entry

    entries = []
    for root in roots:
        for folder in entry_folders(root):
            entry, _ = _load_one(root, folder, documents, read_entry, hashlib.sha256())
            if entry:
                entries.append(entry)
    known = {entry.id for entry in entries}
    return [
        Problem(f"{entry.category}/{entry.id}/pitfall.yaml", "look_alikes", pair.id, "the id of an entry that exists")
        for entry in entries
        for pair in entry.look_alikes
        if pair.id not in known or pair.id == entry.id
    ]
