"""Compiling knowledge into one SQLite file."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.errors import StoreError
from torchwhy.knowledge.entry import as_data
from torchwhy.knowledge.files import (
    ASKS_FILES,
    EDIT_FILE,
    FAMILIES_FOLDER,
    LANGUAGES_FILE,
    QUESTIONS_FILES,
    WITNESS_FILE,
    read_bytes,
)
from torchwhy.runtime import cache, locations
from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.plain import escaped

from .store import Store
from .tokens import VERSION as TOKENS_VERSION

if TYPE_CHECKING:
    from torchwhy.knowledge.load import Knowledge
    from torchwhy.knowledge.questions import AskedQuestion

    from .naive_bayes import NaiveBayes

FORMAT = 28
TORCH_WORDS = Path(__file__).with_name("torch_words.txt")  # of its messages, beside the entries' own
ESCAPE = lazy_compile(r"\\[A-Za-z]|\(\?P<\w+>")  # in a pattern
SCHEMA = """
CREATE TABLE entry (id TEXT PRIMARY KEY, category TEXT, kind TEXT, effect TEXT,
    title_en TEXT, title_zh TEXT, body TEXT);
CREATE TABLE signature (entry TEXT, number INTEGER, pattern TEXT, context TEXT, literals TEXT,
    words TEXT, further TEXT);
CREATE TABLE literal (word TEXT, literal TEXT, signature INTEGER, PRIMARY KEY (word, literal, signature))
    WITHOUT ROWID;
CREATE TABLE renamed (old TEXT PRIMARY KEY, new TEXT);
CREATE TABLE passage (id INTEGER PRIMARY KEY, entry TEXT, field TEXT, lang TEXT, text TEXT);
CREATE TABLE question (entries TEXT, text TEXT);
CREATE TABLE neighbour (form TEXT, entry TEXT, PRIMARY KEY (form, entry)) WITHOUT ROWID;
CREATE TABLE term (term TEXT PRIMARY KEY, idf REAL) WITHOUT ROWID;
CREATE TABLE posting (term TEXT PRIMARY KEY, entries BLOB, weights BLOB) WITHOUT ROWID;
CREATE TABLE total (entry TEXT PRIMARY KEY, size REAL) WITHOUT ROWID;
CREATE TABLE word (term TEXT PRIMARY KEY, numbers BLOB, worth BLOB) WITHOUT ROWID;
CREATE TABLE line_word (term TEXT PRIMARY KEY, numbers BLOB, worth BLOB) WITHOUT ROWID;
CREATE TABLE line (entries BLOB);
CREATE TABLE family (id TEXT PRIMARY KEY, body TEXT);
CREATE TABLE vocabulary (words TEXT);
CREATE TABLE digest (entry TEXT PRIMARY KEY, digest TEXT) WITHOUT ROWID;
"""


def knowledge_files(roots: Sequence[Path]) -> Iterator[str]:
    """Every file and folder that the compiled knowledge depends on, in a fixed order.

    As texts: every question asks for all of them, and as many `Path`s take longer than their stats.
    """
    for root in roots:
        yield str(root)
        yield os.path.join(root, "renamed.yaml")
        yield os.path.join(root, LANGUAGES_FILE)
        yield os.path.join(root, WITNESS_FILE)
        for name in QUESTIONS_FILES.values():
            yield os.path.join(root, name)
        families = os.path.join(root, FAMILIES_FOLDER)
        if os.path.isdir(families):
            yield families
            yield from sorted(entry.path for entry in os.scandir(families) if entry.name.endswith(".yaml"))
        for category in _folders(root):
            if os.path.basename(category)[0] not in "._":
                for folder in _folders(category):
                    yield folder
                    for name in ("pitfall.yaml", EDIT_FILE, *ASKS_FILES.values()):
                        yield f"{folder}{os.sep}{name}"
    yield str(locations.documents())


def _folders(place: str | Path) -> list[str]:
    """The folders in a folder, none where it cannot be listed (which loading it says)."""
    try:
        return sorted(entry.path for entry in os.scandir(place) if entry.is_dir())
    except OSError:
        return []


def open_store(roots: Sequence[Path], progress: Callable[[str, int, int], None] | None = None) -> Store:
    """The compiled form of these knowledge bases, compiled first where it is missing or out of date.

    The shipped one was compiled when torchwhy was installed. In a wheel that stands, as all that pip
    installed; in a checkout, where entries are edited, as long as its files are those. Where the cache folder
    cannot be written, it is compiled for this process alone, and a line on stderr says so.
    `progress(what, done, total)` hears of it.
    """
    meta = _installed_meta(roots)
    if meta and not locations.is_checkout():
        with contextlib.suppress(StoreError):
            return Store(locations.compiled_knowledge(), meta, roots[0])
    key = cache.stat_key(knowledge_files(roots)) + f"-{FORMAT}.{TOKENS_VERSION}"
    fingerprint = cache.remembered("knowledge", key)
    if meta and _is_unchanged(meta, roots, key, fingerprint):
        with contextlib.suppress(StoreError):
            return Store(locations.compiled_knowledge(), meta, roots[0])
    if fingerprint:
        folder = locations.cache_folder() / f"knowledge-{fingerprint}"
        meta = cache.read_meta(folder, FORMAT)
        if meta:
            with contextlib.suppress(StoreError):
                return Store(folder, meta)
            cache.discard(folder)
    if progress:
        progress("compiling the knowledge base", 0, 1)
    store = _compiled(roots, key)
    if progress:
        progress("compiling the knowledge base", 1, 1)
    return store


def _installed_meta(roots: Sequence[Path]) -> dict[str, Any] | None:
    """The meta of what was compiled at installation, if these roots are the shipped one alone."""
    if list(roots) != [locations.shipped("kb")]:
        return None
    meta = cache.read_meta(locations.compiled_knowledge(), FORMAT)
    return meta if meta and meta["tokens"] == TOKENS_VERSION else None


def _is_unchanged(meta: dict[str, Any], roots: Sequence[Path], key: str, remembered: str | None) -> bool:
    """Whether the files of these roots are those that were compiled at installation.

    `remembered`: the fingerprint that these files had when they were last looked at, which saves reading them
    all.
    """
    if remembered == meta["fingerprint"]:
        return True
    if remembered or digest_of(roots) != meta["files"]:
        return False
    cache.remember("knowledge", key, meta["fingerprint"])
    return True


def digest_of(roots: Sequence[Path]) -> str:
    """A digest of the contents of every file that the compiled knowledge depends on, and of their names below
    the roots.
    """
    digest = hashlib.sha256()
    for path in map(Path, knowledge_files(roots)):
        if path.suffix in (".yaml", ".json", ".jsonl", ".txt", ".py"):
            try:
                content = read_bytes(path)
            except OSError:  # which loading says
                content = b""
            # the documents lie in another folder in a wheel than in a checkout
            name = path.name if path == locations.documents() else f"{path.parent.name}/{path.name}"
            digest.update(f"{name}\0{len(content)}\n".encode("utf-8", "surrogateescape") + content)
    return digest.hexdigest()


def compile_shipped(folder: Path) -> dict[str, Any]:
    """Compile the shipped knowledge into `folder`, for a wheel: it names no place of this machine.

    Gives the meta.

    Raises KnowledgeError where an entry is broken.
    """
    from torchwhy.errors import KnowledgeError
    from torchwhy.knowledge import load

    roots = [locations.shipped("kb")]
    known = load.load_knowledge(roots, load.load_documents(locations.documents()))
    if known.problems:
        raise KnowledgeError(f"the knowledge base has broken entries: {known.problems[0]}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "knowledge.sqlite").unlink(missing_ok=True)
    write(folder / "knowledge.sqlite", known, roots[0])
    named = f"{known.fingerprint}{FORMAT}.{TOKENS_VERSION} shipped"
    meta = {
        "tokens": TOKENS_VERSION,
        "files": digest_of(roots),
        **_meta(hashlib.sha256(named.encode()).hexdigest()[:16], known),
    }
    cache.write_meta(folder, meta, FORMAT)
    return meta


def _meta(fingerprint: str, known: Knowledge) -> dict[str, Any]:
    return {
        "fingerprint": fingerprint,
        "entries": len(known.pitfalls),
        "problems": [str(problem) for problem in known.problems],
    }


def _compiled(roots: Sequence[Path], key: str) -> Store:
    from torchwhy.knowledge import load

    known = load.load_knowledge(roots, load.load_documents(locations.documents()))
    named = f"{known.fingerprint}{FORMAT}.{TOKENS_VERSION}{[str(root) for root in roots]}"
    fingerprint = hashlib.sha256(named.encode()).hexdigest()[:16]

    def make(folder: Path) -> dict[str, Any]:
        try:
            write(folder / "knowledge.sqlite", known)
        except sqlite3.OperationalError as error:  # a full disk
            raise OSError(str(error)) from error
        return _meta(fingerprint, known)

    try:
        folder = cache.build(f"knowledge-{fingerprint}", FORMAT, make)
    except cache.CacheError as error:
        print(f"torchwhy: {escaped(str(error))}; compiled for this run only", file=sys.stderr)
        return _for_this_run(make)
    cache.remember("knowledge", key, fingerprint)
    meta = cache.read_meta(folder, FORMAT)
    if meta is None:
        print("torchwhy: the cache changes while it is read; compiled for this run only", file=sys.stderr)
        return _for_this_run(make)
    return Store(folder, meta)


def _for_this_run(make: Callable[[Path], dict[str, Any]]) -> Store:
    """The store in a temporary folder that goes with this process. Raises StoreError."""
    import tempfile

    try:
        folder = Path(tempfile.mkdtemp(prefix="torchwhy-"))
        store = Store(folder, make(folder))
    except OSError as error:
        raise StoreError(f"there is no room to compile the knowledge base ({escaped(str(error))})") from error
    store.discard()
    return store


def write(path: Path, known: Knowledge, root: Path | None = None) -> None:
    """Write the SQLite file of a loaded knowledge base.

    `root`: what entries' folders are written relative to.
    """
    from torchwhy.knowledge.wordings import looked_for, wordings_of

    from . import naive_bayes
    from .bm25 import everything
    from .calibration import entry_digests
    from .error_forms import form_of_line
    from .passages import all_passages, document

    db = sqlite3.connect(path)
    db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + SCHEMA)
    number = 0  # of the signature, in the order of the rows
    for entry in known.pitfalls.values():
        fields = as_data(entry)
        if root is not None:
            fields["folder"] = Path(entry.folder).relative_to(root).as_posix()
        # a folder's name may hold bytes that are no UTF-8
        body = json.dumps(fields, ensure_ascii=not entry.folder.isascii())
        named = (entry.id, entry.category, entry.kind, entry.effect, entry.title.en, entry.title.zh)
        _insert(db, "entry", [(*named, body)])
        for row in wordings_of(entry.id, entry.signatures):
            number += 1
            texts = "\n".join(row.literals), "\n".join(row.words), row.further
            _insert(db, "signature", [(*row[:4], *texts)])
            _insert(db, "literal", {(*each, number) for each in looked_for(row)})
        forms = {form_of_line(neighbour.line) for neighbour in entry.neighbours}
        _insert(db, "neighbour", [(form, entry.id) for form in sorted(forms)])
    for family in known.families.values():
        body = json.dumps(as_data(family), ensure_ascii=False)
        _insert(db, "family", [(family.id, body)])
    _insert(db, "vocabulary", [("\n".join(sorted(vocabulary_of(known))),)])
    rows = list(all_passages(known.pitfalls))
    _insert(db, "passage", [(None, row.entry, row.field, row.lang, row.text) for row in rows])
    _insert(db, "digest", entry_digests(known.pitfalls, rows).items())
    numbers = {id: number for number, id in enumerate(known.pitfalls)}
    lines = [(numbers[passage.entry], passage.text) for passage in rows if passage.field in ("title", "ask")]
    words = everything({entry.id: document(entry) for entry in known.pitfalls.values()}, lines)
    _insert(db, "question", [(" ".join(entries), text) for entries, text in known.questions])
    bayes = naive_bayes.train([(passage.entry, passage.text) for passage in rows], known.questions)
    for table, values in (*words.items(), *bayes.items()):
        _insert(db, table, values)
    _insert(db, "renamed", sorted(known.renamed.items()))
    db.commit()
    db.close()


def trained(passages: Iterable[tuple[str, str]], questions: Iterable[AskedQuestion]) -> NaiveBayes:
    """Naive Bayes trained on these (entry, text) pairs and questions, in memory alone."""
    from . import naive_bayes

    db = sqlite3.connect(":memory:")
    db.executescript(SCHEMA)
    for table, rows in naive_bayes.train(passages, questions).items():
        _insert(db, table, rows)
    return naive_bayes.NaiveBayes(db)


def _insert(db: sqlite3.Connection, table: str, rows: Iterable[Sequence[object]]) -> None:
    """Add rows, each with a value for every column."""
    for row in rows:
        db.execute(f"INSERT INTO {table} VALUES ({','.join('?' * len(row))})", row)


def vocabulary_of(known: Knowledge) -> set[str]:
    """The words of all entries and families, and of torch's messages."""
    from torchwhy.text.exits import words_of

    everything: list[Any] = [*known.pitfalls.values(), *known.families.values()]
    texts = [_texts(as_data(each)) for each in everything]
    return words_of("\n".join(texts)).union(TORCH_WORDS.read_text("ascii").split())


def _texts(value: object) -> str:
    """Every text in the fields of an entry, a line each; of patterns the words without RE2's escapes."""
    if isinstance(value, dict):
        return "\n".join(
            ESCAPE.sub(" ", _texts(part)) if name in ("pattern", "context") else _texts(part)
            for name, part in value.items()
            if name != "folder"
        )
    if isinstance(value, list | tuple):
        return "\n".join(map(_texts, value))
    return value if isinstance(value, str) else ""
