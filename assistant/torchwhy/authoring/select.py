"""Which entries a path on the command line means: a knowledge base, a category, an entry's folder, or a file
in it.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.knowledge.load import entry_folders
from torchwhy.runtime.locations import expanded
from torchwhy.text.plain import escaped

WANTED = "give a knowledge base, a category, an entry's folder or a file in it"


@dataclass(frozen=True, slots=True)
class Selection:
    """The knowledge bases to load, and the ids of the entries that are meant (None: all of them)."""

    roots: tuple[Path, ...]
    ids: frozenset[str] | None


def select(paths: Sequence[str], only: Collection[str], roots: Sequence[Path]) -> Selection:
    """The entries of `paths` (all of `roots` where there are none), of them those of `only` where that names
    any.

    A base that is none of `roots` joins them, so that its entries are checked against the shipped ones.
    Raises UsageError for a path without entries, and for an id that none of them has.
    """
    known = list(roots)
    ids: set[str] = set()
    for path in paths:
        base, folders = _entries_at(path, roots)
        if base not in known:
            known.append(base)
        ids |= {folder.name for folder in folders}
    if not paths:
        ids = {folder.name for root in known for folder in entry_folders(root)}
    for id in only:
        if id not in ids:
            near = difflib.get_close_matches(id, ids, 3, 0.5)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise UsageError(f"--only {escaped(id)}: no such entry there{hint}")
    selected = frozenset(only or ids)
    return Selection(tuple(known), selected if paths or only else None)


def _entries_at(path: str, roots: Sequence[Path]) -> tuple[Path, list[Path]]:
    """(the knowledge base, the entry folders) that a path names. Raises UsageError."""
    place = expanded(str(path)).resolve()
    if not place.exists():
        raise UsageError(f"{escaped(path)}: no such file or folder; {WANTED}")
    folder = place if place.is_dir() else place.parent
    base = _base_of(folder, roots)
    folders: list[Path] = []
    if base is not None:
        folders = [entry for entry in entry_folders(base) if entry == folder or folder in entry.parents]
    if not folders or (place != folder and folders != [folder]):
        raise UsageError(f"{escaped(path)}: no entry there; {WANTED}")
    assert base is not None
    return base, folders


def _base_of(folder: Path, roots: Sequence[Path]) -> Path | None:
    """The knowledge base that a folder is, or is a part of; None where it looks like neither."""
    for candidate in (folder, folder.parent, folder.parent.parent):
        if candidate in roots:
            return candidate
    if (folder / "pitfall.yaml").is_file() or (folder / "repro.py").is_file():
        return folder.parent.parent
    if any(folder.glob("*/pitfall.yaml")) and not any(folder.glob("*/*/pitfall.yaml")):
        return folder.parent
    return folder if any(folder.glob("*/*/pitfall.yaml")) else None
