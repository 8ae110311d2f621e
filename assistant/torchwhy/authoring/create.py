"""A new entry: a copy of the template in a folder of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.knowledge.entry import ID
from torchwhy.knowledge.files import ASKS_FILES
from torchwhy.knowledge.load import entry_folders, renamed_ids
from torchwhy.runtime import locations
from torchwhy.text.plain import escaped

SCHEMA_FILE = "pitfall.schema.json"
TEMPLATE_FILES = ("pitfall.yaml", *ASKS_FILES.values(), "repro.py")
IN_TEMPLATE, IN_ENTRY = f"$schema=../{SCHEMA_FILE}", f"$schema=../../{SCHEMA_FILE}"


def create_entry(name: str, base: Path, roots: Sequence[Path]) -> Path:
    """Copy the template to `base`/CATEGORY/ID and return that folder. `roots`: knowledge bases whose ids are
    taken.

    The schema that editors read is put into a base that has none. Raises UsageError for a name that is not
    CATEGORY/ID or is taken, and where the folder cannot be written.
    """
    category, _, id = name.partition("/")
    if not (ID.match(category) and ID.match(id)):
        raise UsageError(
            f"{escaped(name)}: wanted CATEGORY/ID, both in lower case with words joined by hyphens,"
            " such as shapes/my-pitfall"
        )
    _refuse_taken(id, roots)
    folder = base / category / id
    template = locations.shipped("kb") / "_template"
    try:
        folder.mkdir(parents=True, exist_ok=False)
        for file in TEMPLATE_FILES:
            text = (template / file).read_text("utf-8").replace(IN_TEMPLATE, IN_ENTRY)
            (folder / file).write_text(text, "utf-8")
        if not (base / SCHEMA_FILE).exists():
            shutil.copyfile(locations.shipped("kb") / SCHEMA_FILE, base / SCHEMA_FILE)
    except FileExistsError:
        raise UsageError(f"{escaped(folder)} exists; edit what is there, or choose another id") from None
    except OSError as error:
        raise UsageError(
            f"{escaped(folder)} cannot be written ({escaped(error.strerror or str(error))})"
        ) from error
    return folder


def _refuse_taken(id: str, roots: Sequence[Path]) -> None:
    """Raises UsageError where an entry has this id, or once had it."""
    for root in roots:
        for folder in entry_folders(root):
            if folder.name == id:
                raise UsageError(
                    f"{id} exists: {escaped(folder)}; add your wording there, or choose another id"
                )
        if id in renamed_ids(root):
            raise UsageError(f"{id} is an old id of {renamed_ids(root)[id]}; choose another id")


def shown_path(path: Path) -> str:
    """A path as it is typed from the current folder, where it lies below that."""
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
