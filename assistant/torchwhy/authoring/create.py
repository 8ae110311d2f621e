"""A new entry: a copy of the template in a folder of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from torchwhy.errors import UsageError
from torchwhy.knowledge.entry import ID
from torchwhy.knowledge.files import ASKS_FILES, LANGUAGES_FILE, SCHEMA_FILE
from torchwhy.knowledge.load import entry_folders, languages_of, renamed_ids
from torchwhy.runtime import locations
from torchwhy.text.language import LANGS
from torchwhy.text.plain import escaped

TEMPLATE_FILES = ("pitfall.yaml", *ASKS_FILES.values(), "repro.py")
IN_TEMPLATE, IN_ENTRY = f"$schema=../{SCHEMA_FILE}", f"$schema=../../{SCHEMA_FILE}"


def create_entry(name: str, base: Path, roots: Sequence[Path], lang: str | None = None) -> Path:
    """Copy the template to `base`/CATEGORY/ID and return that folder. `roots`: knowledge bases whose ids are
    taken.

    `lang`: a base without entries begins in that one language. The schema that editors read is put into a
    base that has none. Raises UsageError for a name that is not CATEGORY/ID or is taken, for a base that
    stands in other languages, and where the folder cannot be written.
    """
    category, _, id = name.partition("/")
    if not (ID.match(category) and ID.match(id)):
        raise UsageError(
            f"{escaped(name)}: wanted CATEGORY/ID, both in lower case with words joined by hyphens,"
            " such as shapes/my-pitfall"
        )
    _refuse_taken(id, roots)
    languages = _languages_for(base, lang)
    folder = base / category / id
    template = locations.shipped("kb") / "_template"
    try:
        folder.mkdir(parents=True, exist_ok=False)
        others = [each for each in LANGS if each not in languages]
        for file in {*TEMPLATE_FILES} - {ASKS_FILES[each] for each in others}:
            text = (template / file).read_text("utf-8").replace(IN_TEMPLATE, IN_ENTRY)
            (folder / file).write_text(without_languages(text, others), "utf-8")
        if lang and not (base / LANGUAGES_FILE).exists():
            (base / LANGUAGES_FILE).write_text(f"[{lang}]\n", "utf-8")
        if not (base / SCHEMA_FILE).exists():
            shutil.copyfile(locations.shipped("kb") / SCHEMA_FILE, base / SCHEMA_FILE)
    except FileExistsError:
        raise UsageError(f"{escaped(folder)} exists; edit what is there, or choose another id") from None
    except OSError as error:
        raise UsageError(
            f"{escaped(folder)} cannot be written ({escaped(error.strerror or str(error))})"
        ) from error
    return folder


def _languages_for(base: Path, lang: str | None) -> Sequence[str]:
    """The languages of a new entry. Raises UsageError where `lang` is not what the base stands in."""
    known = languages_of(base)
    if lang is None or known == (lang,):
        return known
    if (base / LANGUAGES_FILE).exists() or (base.is_dir() and any(entry_folders(base))):
        raise UsageError(f"{escaped(base)} stands in {' and '.join(known)}; leave out --lang")
    return (lang,)


def without_languages(text: str, others: Sequence[str]) -> str:
    """YAML without the texts in these languages: each such key, and what is indented below it."""
    kept: list[str] = []
    below = -1  # the indentation of a key that is left out
    for line in text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip())
        if below >= 0 and (indent > below or not line.strip()):
            continue
        below = indent if line.lstrip().startswith(tuple(f"{lang}:" for lang in others)) else -1
        if below < 0:
            kept.append(line)
    return "".join(kept)


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
