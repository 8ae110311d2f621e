"""Compiled knowledge: one SQLite file with entries, signatures and the lexical index. Built in seconds, opened in
milliseconds; parsing every YAML file at every start would cost more than the question.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import sqlite3
import sys
import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from . import cache, locations
from .errors import StoreError
from .normalise import VERSION as NORMALISER
from .types import Bilingual, FactRule, LookAlike, Needs, Pitfall, Says, Signature, Source

FORMAT = 10
SCHEMA = """
CREATE TABLE entry (id TEXT PRIMARY KEY, category TEXT, kind TEXT, effect TEXT, title_en TEXT, title_zh TEXT, body TEXT);
CREATE TABLE signature (entry TEXT, number INTEGER, pattern TEXT, context TEXT, literals TEXT);
CREATE TABLE renamed (old TEXT PRIMARY KEY, new TEXT);
CREATE TABLE passage (id INTEGER PRIMARY KEY, entry TEXT, field TEXT, lang TEXT, text TEXT);
CREATE TABLE alike (entry TEXT, other TEXT);
CREATE TABLE term (term TEXT PRIMARY KEY, idf REAL) WITHOUT ROWID;
CREATE TABLE posting (term TEXT, entry TEXT, weight REAL, PRIMARY KEY (term, entry)) WITHOUT ROWID;
CREATE TABLE total (entry TEXT PRIMARY KEY, size REAL) WITHOUT ROWID;
CREATE TABLE word (term TEXT PRIMARY KEY, numbers BLOB, worth BLOB) WITHOUT ROWID;
CREATE TABLE line_word (term TEXT PRIMARY KEY, numbers BLOB, worth BLOB) WITHOUT ROWID;
CREATE TABLE line (entries BLOB);
"""


def knowledge_files(roots: Sequence[Path]) -> Iterator[Path]:
    """Every file that the compiled knowledge depends on, in a fixed order."""
    for root in roots:
        yield root
        yield root / "renamed.yaml"
        for category in sorted(entry.path for entry in os.scandir(root) if entry.is_dir() and entry.name[0] not in "._"):
            for folder in sorted(entry.path for entry in os.scandir(category) if entry.is_dir()):
                yield Path(folder)
                yield Path(folder, "pitfall.yaml")
    yield locations.documents()


class Store:
    """Read access to compiled knowledge. `fingerprint` names its contents; `problems` the entries that were skipped."""

    def __init__(self, folder: Path, meta: Mapping[str, Any]) -> None:
        self.folder = folder
        self.fingerprint: str = meta["fingerprint"]
        self.content: str = meta["content"]  # the entries alone, wherever their folder lies
        self.problems: list[str] = meta["problems"]
        self.count: int = meta["entries"]
        try:
            self.db = sqlite3.connect(f"file:{folder / 'knowledge.sqlite'}?mode=ro&immutable=1", uri=True, check_same_thread=False)
            self._bodies: dict[str, Pitfall] = {}
            self.alike: dict[str, set[str]] = {}
            for entry, other in self.db.execute("SELECT entry, other FROM alike"):
                self.alike.setdefault(entry, set()).add(other)
        except sqlite3.Error as error:
            raise StoreError(f"{folder} cannot be read ({error}); run `torchwhy index` to build it anew") from error

    @classmethod
    def open(cls, roots: Sequence[Path]) -> Store:
        """Open the compiled form of these knowledge bases, compiling it first if it is missing or out of date."""
        key = cache.stat_key(knowledge_files(roots)) + f"-{FORMAT}.{NORMALISER}"
        fingerprint = cache.remembered("knowledge", key)
        if fingerprint:
            folder = locations.cache_folder() / f"knowledge-{fingerprint}"
            meta = cache.read_meta(folder, FORMAT)
            if meta:
                return cls(folder, meta)
        return cls._compile(roots, key)

    @classmethod
    def _compile(cls, roots: Sequence[Path], key: str) -> Store:
        from . import knowledge

        known = knowledge.load(roots, knowledge.load_documents(locations.documents()))
        shown = hashlib.sha256(f"{known.fingerprint}{FORMAT}.{NORMALISER}{[str(root) for root in roots]}".encode()).hexdigest()[:16]

        def make(folder: Path) -> dict[str, Any]:
            write(folder / "knowledge.sqlite", known)
            return {
                "fingerprint": shown,
                "content": known.fingerprint[:16],
                "entries": len(known.pitfalls),
                "problems": [str(problem) for problem in known.problems],
            }

        try:
            folder = cache.build(f"knowledge-{shown}", FORMAT, make)
            cache.remember("knowledge", key, shown)
            meta = cache.read_meta(folder, FORMAT)
        except StoreError as error:
            print(f"torchwhy: {error}; compiled for this run only", file=sys.stderr)
            folder = Path(tempfile.mkdtemp(prefix="torchwhy-"))
            meta = make(folder)
            store = cls(folder, meta)
            store.discard()
            return store
        assert meta is not None
        return cls(folder, meta)

    def discard(self) -> None:
        """Remove the files of a store that could not be kept (the open connection goes on reading on POSIX)."""
        import atexit
        import shutil

        atexit.register(shutil.rmtree, self.folder, True)

    @cached_property
    def numbered(self) -> list[str]:
        """The entries' ids in the order in which they were compiled."""
        return [row[0] for row in self.db.execute("SELECT id FROM entry ORDER BY rowid")]

    @cached_property
    def lines(self) -> array[int]:
        """Of each line of the word index, the number of its entry in `numbered`."""
        return array("I", self.db.execute("SELECT entries FROM line").fetchone()[0])

    def ids(self) -> list[str]:
        return [row[0] for row in self.db.execute("SELECT id FROM entry ORDER BY id")]

    def resolve(self, id: str) -> str | None:
        """The present id for an id that may have been renamed; None where there is none."""
        row = self.db.execute("SELECT id FROM entry WHERE id = ?", (id,)).fetchone()
        if row:
            return str(row[0])
        row = self.db.execute("SELECT new FROM renamed WHERE old = ?", (id,)).fetchone()
        return self.resolve(row[0]) if row and row[0] != id else None

    def pitfall(self, id: str) -> Pitfall:
        """The entry. Raises KeyError for an id that is not there."""
        if id not in self._bodies:
            row = self.db.execute("SELECT body FROM entry WHERE id = ?", (id,)).fetchone()
            if row is None:
                raise KeyError(id)
            self._bodies[id] = decode(json.loads(row[0]))
        return self._bodies[id]

    def signatures(self) -> list[tuple[str, int, str, str | None, tuple[str, ...]]]:
        """(entry, number, RE2 pattern, context pattern, literals) of every signature."""
        rows = self.db.execute("SELECT entry, number, pattern, context, literals FROM signature ORDER BY rowid")
        return [(row[0], row[1], row[2], row[3], tuple(row[4].split("\n")) if row[4] else ()) for row in rows]

    def passages(self) -> list[tuple[int, str, str, str, str]]:
        """(number, entry, field, lang, text) of every passage, in the order of the vectors."""
        return self.db.execute("SELECT id, entry, field, lang, text FROM passage ORDER BY id").fetchall()


def write(path: Path, known: Any) -> None:
    """Write the SQLite file of a loaded knowledge base."""
    from .bayes import train as train_bayes
    from .lexical import everything
    from .literals import required_literals
    from .passages import all_passages, document
    from .patterns import spaced

    db = sqlite3.connect(path)
    db.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + SCHEMA)
    for entry in known.pitfalls.values():
        body = json.dumps(dataclasses.asdict(entry), ensure_ascii=False)
        db.execute("INSERT INTO entry VALUES (?,?,?,?,?,?,?)", (entry.id, entry.category, entry.kind, entry.effect, entry.title.en, entry.title.zh, body))
        for at, signature in enumerate(entry.signatures):
            pattern = spaced(signature.pattern)
            context = spaced(signature.context) if signature.context else None
            db.execute("INSERT INTO signature VALUES (?,?,?,?,?)", (entry.id, at, pattern, context, "\n".join(required_literals(pattern))))
        db.executemany("INSERT INTO alike VALUES (?,?)", [(entry.id, pair.id) for pair in entry.look_alikes])
    rows = list(all_passages(known.pitfalls))
    for passage in rows:
        db.execute("INSERT INTO passage(entry, field, lang, text) VALUES (?,?,?,?)", (passage.entry, passage.field, passage.lang, passage.text))
    numbers = {id: number for number, id in enumerate(known.pitfalls)}
    lines = [(numbers[passage.entry], passage.text) for passage in rows if passage.field in ("title", "ask")]
    for table, values in everything({entry.id: document(entry) for entry in known.pitfalls.values()}, lines).items():
        marks = "?" if table == "line" else "?,?,?"
        db.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
    bayes = train_bayes([(passage.entry, passage.text) for passage in rows])
    db.executemany("INSERT INTO term VALUES (?,?)", bayes.idf.items())
    db.executemany("INSERT INTO posting VALUES (?,?,?)", [(term, entry, weight) for (term, entry), weight in bayes.weights.items()])
    db.executemany("INSERT INTO total VALUES (?,?)", bayes.sizes.items())
    db.executemany("INSERT INTO renamed VALUES (?,?)", sorted(known.renamed.items()))
    db.commit()
    db.close()


def decode(data: dict[str, Any]) -> Pitfall:
    """A Pitfall from its JSON form (what `dataclasses.asdict` gave)."""

    def bilingual(value: Any) -> Bilingual:
        return Bilingual(value["en"], value["zh"])

    signatures = tuple(
        Signature(
            item["pattern"], item["example"], item["releases"], item["context"],
            tuple(Says(bilingual(said["text"]), said["when"]) for said in item["says"]),
        )
        for item in data["signatures"]
    )  # fmt: skip
    return Pitfall(
        id=data["id"], category=data["category"], kind=data["kind"], effect=data["effect"], folder=data["folder"],
        title=bilingual(data["title"]), cause=bilingual(data["cause"]), fix=bilingual(data["fix"]),
        check=bilingual(data["check"]), asks={lang: tuple(lines) for lang, lines in data["asks"].items()},
        sources=tuple(Source(**item) for item in data["sources"]), signatures=signatures, symptom=data["symptom"],
        look_alikes=tuple(LookAlike(**item) for item in data["look_alikes"]),
        needs=Needs(**{**data["needs"], "packages": tuple(data["needs"]["packages"])}),
        facts=tuple(FactRule(item["when"], item["speaks"], bilingual(item["text"])) for item in data["facts"]),
        no_repro=bilingual(data["no_repro"]) if data["no_repro"] else None,
    )  # fmt: skip
