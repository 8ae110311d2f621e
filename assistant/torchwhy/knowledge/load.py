"""Reading a knowledge base: `<category>/<id>/pitfall.yaml` with its questions and `repro.py` beside it.

A folder's name is the entry's id, the folder above it the category; neither is written inside.
`load_knowledge` never raises for one broken entry: it returns the good ones and every problem of the others.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from torchwhy.errors import KnowledgeError
from torchwhy.text.language import LANGS, Lang
from torchwhy.text.plain import escaped

from . import family_schema, schema
from .entry import LookAlike, Pitfall, Problem
from .family import Family
from .files import (
    ASKS_FILES,
    EDIT_FILE,
    FAMILIES_FOLDER,
    LANGUAGES_FILE,
    MAX_FILE_BYTES,
    QUESTIONS_FILES,
    ROWS_FILE,
    UnreadableFileError,
    read_text,
)
from .questions import AskedQuestion, read_questions
from .witness import read_witness, with_witnesses

# pitfall.yaml, the questions and repro.py make an entry. printed.yaml says where its examples were printed,
# for those who edit it; lint.py and guard.py are the places of checks of source code and of running programs,
# faults.py of how the mistake is put into healthy programs, edit.py of the functions that `edits` name,
# rows.json of what a pattern's group `row` names.
ENTRY_FILES = (
    "pitfall.yaml",
    *ASKS_FILES.values(),
    "repro.py",
    "printed.yaml",
    "lint.py",
    "guard.py",
    "faults.py",
    EDIT_FILE,
    ROWS_FILE,
)

RENAMED_FILE = "renamed.yaml"
MAX_REASON_CHARS = 200  # of an unforeseen error that a problem quotes
Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Entries by id (sorted), and what is wrong with those that were left out.

    `families`: symptoms that several entries explain, by id (sorted). `renamed`: old ids and what they are
    called now. `dangling`: look-alikes that name no entry; they are dropped, so that an answer never points
    at nothing, and the entry stays. `questions`: how people asked about them. `fingerprint`: a hash of every
    text that was read, and of the problems.
    """

    pitfalls: Mapping[str, Pitfall]
    problems: tuple[Problem, ...]
    renamed: Mapping[str, str]
    fingerprint: str
    dangling: tuple[Problem, ...] = ()
    families: Mapping[str, Family] = field(default_factory=dict)
    questions: tuple[AskedQuestion, ...] = ()


def entry_folders(root: Path) -> Iterator[Path]:
    """Every entry folder of a knowledge base, sorted by path; a category that cannot be listed has none.

    Raises KnowledgeError where there is no such folder.
    """
    for category in _categories(root):
        with contextlib.suppress(OSError):
            yield from _subfolders(category)


def _categories(root: Path) -> list[Path]:
    if not root.is_dir():
        raise KnowledgeError(
            f"{escaped(root)}: no such knowledge base folder; give one with --kb DIR or TORCHWHY_KB"
        )
    try:
        return [path for path in _subfolders(root) if not path.name.startswith((".", "_"))]
    except OSError as error:
        raise KnowledgeError(f"{escaped(root)}: the folder cannot be listed ({error.strerror})") from error


def _subfolders(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__")


def _unlisted(root: Path) -> Iterator[Problem]:
    """The categories of a knowledge base that cannot be listed."""
    for category in _categories(root):
        try:
            os.listdir(category)
        except OSError as error:
            yield Problem(escaped(category.name), "(folder)", escaped(str(error)), "a readable folder")


def load_documents(path: Path | None) -> dict[str, Any]:
    """The source documents that entries may cite, by key."""
    if path is None or not path.is_file():
        return {}
    import yaml

    return dict(yaml.safe_load(path.read_text(encoding="utf-8")) or {})


def load_knowledge(roots: Iterable[Path], documents: Mapping[str, Any]) -> Knowledge:
    """Load the knowledge bases in order; a later folder's entry replaces an earlier one of the same id, and
    so does a later folder's family.
    """
    roots = tuple(roots)
    pitfalls: dict[str, Pitfall] = {}
    families: dict[str, Family] = {}
    problems: list[Problem] = []
    renamed: dict[str, str] = {}
    read: list[str] = []  # what goes into the fingerprint
    languages: dict[Path, tuple[Lang, ...]] = {}
    for root in roots:
        names, problems_of_names = _read_beside(root, RENAMED_FILE, schema.read_renamed)
        renamed.update(names or {})
        named, wrong = _read_beside(root, LANGUAGES_FILE, schema.read_languages)
        languages[root] = named or LANGS
        if languages[root] != LANGS:
            read.append(repr(languages[root]))
        problems += [*problems_of_names, *wrong, *_unlisted(root)]
        witness = read_witness(root)
        if witness:
            read.append(repr(sorted(witness.items())))
        ids_of_root: set[str] = set()
        for folder in entry_folders(root):
            entry, text, wrong = _load_entry(folder, documents, languages[root])
            problems += wrong
            read.append(text)
            if entry and entry.id in ids_of_root:
                wanted = "an id that stands once; another category has it"
                problems.append(Problem(_shown(folder), "id", entry.id, wanted))
            elif entry:
                ids_of_root.add(entry.id)
                pitfalls[entry.id] = with_witnesses(entry, witness.get(entry.id))
    problems += _drop_circles(renamed)
    read.append(repr(sorted(renamed.items())))
    dangling = tuple(_dangling(pitfalls))
    pitfalls = dict(sorted(_mirrored(pitfalls).items()))
    for root in roots:
        for path in family_files(root):
            family, text, wrong = _load_family(path, documents, pitfalls, languages[root])
            problems += wrong
            read.append(text)
            if family:
                families[family.id] = family
    questions: list[AskedQuestion] = []
    for root in roots:
        for name in QUESTIONS_FILES.values():
            file = f"{escaped(root.name)}/{name}"
            lines, unreadable = _text_of(root / name, file)
            asked, wrong = read_questions(lines or "", file, pitfalls.keys(), renamed)
            questions += asked
            problems += [*unreadable, *wrong]
            read.append(lines or "")
    # some problems are in no text: a file too many, a script that is missing
    read.append("\n".join(map(str, problems)))
    fingerprint = hashlib.sha256("".join(read).encode("utf-8", "surrogateescape")).hexdigest()
    families = dict(sorted(families.items()))
    return Knowledge(pitfalls, tuple(problems), renamed, fingerprint, dangling, families, tuple(questions))


def family_files(root: Path) -> list[Path]:
    """The files of a knowledge base's families, sorted; none where they cannot be listed."""
    try:
        return sorted(path for path in (root / FAMILIES_FOLDER).iterdir() if path.suffix == ".yaml")
    except OSError:
        return []


def _load_family(
    path: Path, documents: Mapping[str, Any], pitfalls: Mapping[str, Pitfall], languages: Sequence[Lang]
) -> tuple[Family | None, str, list[Problem]]:
    """(the family, what of it goes into the fingerprint, its problems)."""
    file = escaped(f"{FAMILIES_FOLDER}/{path.name}")
    text, problems = _text_of(path, file)
    if text is None:
        return None, "", problems
    read = partial(
        family_schema.read_family,
        text,
        file=file,
        id=path.stem,
        documents=documents,
        entries=pitfalls.keys(),
        languages=languages,
    )
    family, problems = _whatever_it_holds(read, file, "family")
    return family, f"{file}\0{text}\0", problems


def languages_of(root: Path) -> tuple[Lang, ...]:
    """The languages that a knowledge base's texts stand in; both where its languages.yaml is wrong."""
    return _read_beside(root, LANGUAGES_FILE, schema.read_languages)[0] or LANGS


def renamed_ids(root: Path) -> dict[str, str]:
    """{old id: new id} of a knowledge base's renamed.yaml; what is wrong in it is left out."""
    return _read_beside(root, RENAMED_FILE, schema.read_renamed)[0] or {}


def _text_of(path: Path, file: str) -> tuple[str | None, list[Problem]]:
    """(the text, None where there is none or it cannot be read; why it cannot)."""
    try:
        return read_text(path), []
    except FileNotFoundError:
        return None, []
    except UnreadableFileError as error:
        return None, [Problem(file, "(file)", error.found, error.wanted)]


def _read_beside(
    root: Path, name: str, read: Callable[[str, str], tuple[Record, list[Problem]]]
) -> tuple[Record | None, list[Problem]]:
    """A file beside the entries, by `read(text, file)`; None where there is none."""
    file = f"{escaped(root.name)}/{name}"
    text, problems = _text_of(root / name, file)
    return (None, problems) if text is None else read(text, file)


def _whatever_it_holds(
    read: Callable[[], tuple[Record | None, list[Problem]]], file: str, what: str
) -> tuple[Record | None, list[Problem]]:
    """What `read` gives; a text that it did not foresee is a broken one, and the rest is still read."""
    try:
        return read()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"[:MAX_REASON_CHARS]
        return None, [Problem(file, f"({what})", reason, "a text that can be read")]


def _drop_circles(renamed: dict[str, str]) -> list[Problem]:
    """Take ids that lead back to themselves out of `renamed`, and say which they were."""
    ends: dict[str, bool] = {}  # whether following an id comes to an end
    for start in renamed:
        way: dict[str, None] = {}
        id = start
        while id in renamed and id not in way and id not in ends:
            way[id] = None
            id = renamed[id]
        ends.update(dict.fromkeys(way, ends.get(id, id not in way)))
    circular = [id for id in renamed if not ends[id]]
    wanted = "a new id that does not lead back to the old one"
    return [Problem(f"kb/{RENAMED_FILE}", repr(id), repr(renamed.pop(id)), wanted) for id in circular]


def _shown(folder: Path) -> str:
    """An entry's folder as problems name it: category/id, with nothing in it that a terminal would act on."""
    return escaped(f"{folder.parent.name}/{folder.name}")


def _load_entry(
    folder: Path, documents: Mapping[str, Any], languages: Sequence[Lang]
) -> tuple[Pitfall | None, str, list[Problem]]:
    """(the entry, what of it goes into the fingerprint, its problems); no entry where there is
    any problem.
    """
    shown = _shown(folder)
    file = f"{shown}/pitfall.yaml"
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        return None, "", [Problem(shown, "(folder)", escaped(str(error)), "a readable folder")]
    only = f"only {', '.join(ENTRY_FILES)} in an entry's folder"
    problems = [
        Problem(escaped(f"{shown}/{name}"), "(file)", escaped(name), only)
        for name in names
        if name not in ENTRY_FILES and name != "__pycache__"
    ]
    text, wrong = _text_of(folder / "pitfall.yaml", file)
    if text is None:
        missing = Problem(shown, "(file)", "no pitfall.yaml", "an entry; `torchwhy kb new` makes one")
        return None, "", [*problems, *(wrong or [missing])]
    python, unreadable = _text_of(folder / EDIT_FILE, f"{shown}/{EDIT_FILE}")  # it decides what a change does
    problems += unreadable
    asks, asks_text, asks_problems = _load_asks(folder, languages)
    read = partial(
        schema.read_entry,
        text,
        file=file,
        id=folder.name,
        category=folder.parent.name,
        folder=str(folder),
        asks=asks,
        documents=documents,
        languages=languages,
    )
    entry, entry_problems = _whatever_it_holds(read, file, "entry")
    problems += entry_problems + asks_problems
    has_repro = (folder / "repro.py").is_file()
    if entry and has_repro and entry.no_repro is not None:
        problems.append(Problem(shown, "repro", "repro.py", "no repro.py where repro.none gives a reason"))
    elif has_repro and (folder / "repro.py").stat().st_size > MAX_FILE_BYTES:
        wanted = f"a script of at most {MAX_FILE_BYTES:,} bytes"
        problems.append(Problem(shown, "repro", "a larger repro.py", wanted))
    elif entry and not has_repro and entry.no_repro is None:
        problems.append(Problem(shown, "repro", "no repro.py", "repro.py, or repro.none with the reason"))
    return (None if problems else entry), f"{shown}\0{text}\0{asks_text}{python or ''}", problems


def _load_asks(
    folder: Path, languages: Sequence[Lang]
) -> tuple[dict[str, tuple[str, ...]], str, list[Problem]]:
    """(an entry's questions by language, what of them goes into the fingerprint, their problems)."""
    asks: dict[str, tuple[str, ...]] = dict.fromkeys(ASKS_FILES, ())
    read = ""
    problems: list[Problem] = []
    for lang, name in ASKS_FILES.items():
        file = f"{_shown(folder)}/{name}"
        text, wrong = _text_of(folder / name, file)
        if text is None and not wrong and lang in languages:
            text = ""
        if text is not None:
            read += f"{text}\0"
            asks[lang], wrong = schema.read_asks(text, file, lang)
        problems += wrong
    return asks, read, problems


def _mirrored(pitfalls: Mapping[str, Pitfall]) -> dict[str, Pitfall]:
    """Each look-alike pair is declared once; add the other direction (without a near-miss of its own)."""
    declared = {id: {pair.id for pair in entry.look_alikes} for id, entry in pitfalls.items()}
    result = {}
    for id, entry in pitfalls.items():
        back = sorted(other for other, pairs in declared.items() if id in pairs and other not in declared[id])
        kept = tuple(pair for pair in entry.look_alikes if pair.id in pitfalls)
        result[id] = entry._replace(look_alikes=kept + tuple(LookAlike(other) for other in back))
    return result


def _dangling(pitfalls: Mapping[str, Pitfall]) -> Iterator[Problem]:
    """Look-alikes that name no entry, or the entry itself."""
    for entry in pitfalls.values():
        for pair in entry.look_alikes:
            if pair.id not in pitfalls or pair.id == entry.id:
                file = f"{entry.category}/{entry.id}/pitfall.yaml"
                yield Problem(file, "look_alikes", pair.id, "the id of an entry that exists")
