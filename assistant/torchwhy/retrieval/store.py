"""Compiled knowledge: one SQLite file with entries, signatures and the lexical index.

Built in seconds, opened in milliseconds; parsing every YAML file at every start would cost more than the
question.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.errors import StoreError
from torchwhy.knowledge.entry import Pitfall, from_data
from torchwhy.knowledge.literals import words_of
from torchwhy.knowledge.wordings import Wording, Wordings, WordingSearch, with_further
from torchwhy.text.plain import escaped

from .bm25 import BM25
from .naive_bayes import NaiveBayes

if TYPE_CHECKING:
    from torchwhy.knowledge.family import Family
    from torchwhy.knowledge.questions import AskedQuestion

MAPPED_BYTES = 256 << 20  # of the file that SQLite reads without copying: a tenth of the time for long lists
MAX_ASKED_WORDS = 200  # of a text, up to which the file is asked for what it may show
SELECT_WORDINGS = "SELECT entry, number, pattern, context, literals, words, further FROM signature"
PassageRow = tuple[int, str, str, str, str]  # number, entry, field, lang, text


def _quoted(path: Path) -> str:
    """A path as SQLite's URI takes it."""
    return str(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


class Vocabulary:
    """Gives the words of a store, read when they are first asked for. Pickled with them."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(self._db.execute("SELECT words FROM vocabulary").fetchone()[0].split("\n"))

    def __call__(self) -> frozenset[str]:
        return self._words

    def __reduce__(self) -> tuple[object, ...]:
        return partial, (frozenset, self._words)


class StoredWordings(WordingSearch):
    """The signatures of a store. For a short text those alone are read that it may show, else all at once."""

    def __init__(self, db: sqlite3.Connection) -> None:
        super().__init__()
        self._db = db

    @cached_property
    def all(self) -> Wordings:
        """All of them, in the order of the knowledge base."""
        return Wordings(self._read(f"{SELECT_WORDINGS} ORDER BY rowid"))

    def possible(self, text: str) -> list[Wording]:
        words = ["", *dict.fromkeys(words_of(text))]
        if "all" in self.__dict__ or len(words) > MAX_ASKED_WORDS:
            return self.all.possible(text)
        rows = self._db.execute(
            f"SELECT literal, signature FROM literal WHERE word IN ({_marks(words)})", words
        )
        numbers = list({number for literal, number in rows if literal in text})
        where = f"WHERE rowid IN ({_marks(numbers)}) ORDER BY rowid"
        return with_further(self._read(f"{SELECT_WORDINGS} {where}", numbers), text)

    def _read(self, query: str, values: Sequence[int] = ()) -> list[Wording]:
        return [
            Wording(
                entry,
                number,
                pattern,
                context,
                tuple(literals.split("\n")) if literals else (),
                tuple(words.split("\n")) if literals else (),
                further,
            )
            for entry, number, pattern, context, literals, words, further in self._db.execute(query, values)
        ]


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


class Store:
    """Read access to compiled knowledge.

    `fingerprint` names its contents; `problems` the entries that were skipped.

    `root`: the knowledge base that entries' folders are relative to, where they are not absolute.
    """

    def __init__(self, folder: Path, meta: Mapping[str, Any], root: Path | None = None) -> None:
        self.folder = folder
        self._root = root
        self.fingerprint: str = meta["fingerprint"]
        self.problems: list[str] = meta["problems"]
        self.count: int = meta["entries"]
        try:
            self.db = sqlite3.connect(
                f"file:{_quoted(folder / 'knowledge.sqlite')}?mode=ro&immutable=1",
                uri=True,
                check_same_thread=False,
            )
            self.db.execute(f"PRAGMA mmap_size={MAPPED_BYTES}")
            self.db.execute(
                "PRAGMA schema_version"
            )  # reads the file's head, and so finds what is no database
            self._bodies: dict[str, Pitfall] = {}
        except sqlite3.Error as error:
            raise StoreError(
                f"{escaped(folder)} cannot be read ({error}); run `torchwhy index` to build it anew"
            ) from error

    def discard(self) -> None:
        """Remove the files of a store that could not be kept (the open connection goes on reading on
        POSIX).
        """
        import atexit
        import shutil

        atexit.register(shutil.rmtree, self.folder, True)

    @cached_property
    def words(self) -> BM25:
        """The word index."""
        return BM25(self.db)

    @cached_property
    def bayes(self) -> NaiveBayes:
        """The weights of naive Bayes."""
        return NaiveBayes(self.db)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of all entries, as `torchwhy.text.exits` takes them: what may be told to others."""
        return Vocabulary(self.db)

    def titles(self) -> list[tuple[str, str, str, str]]:
        """(id, category, English title, Chinese title) of every entry, by category and id."""
        return self.db.execute(
            "SELECT id, category, title_en, title_zh FROM entry ORDER BY category, id"
        ).fetchall()

    def digests(self) -> dict[str, str]:
        """Of every entry a short hash of what the ranking reads of it."""
        return dict(self.db.execute("SELECT entry, digest FROM digest"))

    def kinds(self) -> dict[str, str]:
        """The kind of every entry: error, warning or silent."""
        return dict(self.db.execute("SELECT id, kind FROM entry"))

    @cached_property
    def effects(self) -> dict[str, str]:
        """What every entry's mistake does to the user: crash, wrong-result, practice, ..."""
        return dict(self.db.execute("SELECT id, effect FROM entry"))

    def refusing(self, forms: Sequence[str]) -> frozenset[str]:
        """The entries that declare a line of one of these forms as a neighbour, and so as none of theirs."""
        marks = ",".join("?" * len(forms))
        rows = self.db.execute(f"SELECT entry FROM neighbour WHERE form IN ({marks})", forms)
        return frozenset(row[0] for row in rows)

    def ids(self) -> list[str]:
        return [row[0] for row in self.db.execute("SELECT id FROM entry ORDER BY id")]

    def resolve(self, id: str) -> str | None:
        """The present id for an id that may have been renamed; None where there is none."""
        followed: set[str] = set()  # old ids may lead in a circle
        while id not in followed:
            followed.add(id)
            row = self.db.execute("SELECT id FROM entry WHERE id = ?", (id,)).fetchone()
            if row:
                return str(row[0])
            row = self.db.execute("SELECT new FROM renamed WHERE old = ?", (id,)).fetchone()
            id = str(row[0]) if row else id
        return None

    def pitfall(self, id: str) -> Pitfall:
        """The entry. Raises KeyError for an id that is not there."""
        if id not in self._bodies:
            row = self.db.execute("SELECT body FROM entry WHERE id = ?", (id,)).fetchone()
            if row is None:
                raise KeyError(id)
            body = json.loads(row[0])
            if self._root is not None:
                body["folder"] = str(self._root / body["folder"])
            self._bodies[id] = from_data(Pitfall, body)
        return self._bodies[id]

    @cached_property
    def families(self) -> dict[str, Family]:
        """Every family by id."""
        from torchwhy.knowledge.family import Family

        rows = self.db.execute("SELECT id, body FROM family ORDER BY id")
        return {id: from_data(Family, json.loads(body)) for id, body in rows}

    @cached_property
    def wordings(self) -> StoredWordings:
        """Every signature, to be searched for in texts."""
        return StoredWordings(self.db)

    def passages(self) -> list[PassageRow]:
        """Every passage, in the order of the vectors."""
        return self.db.execute("SELECT id, entry, field, lang, text FROM passage ORDER BY id").fetchall()

    def questions(self) -> list[AskedQuestion]:
        """How people asked about entries."""
        from torchwhy.knowledge.questions import AskedQuestion

        rows = self.db.execute("SELECT entries, text FROM question ORDER BY rowid")
        return [AskedQuestion(tuple(entries.split(" ")), text) for entries, text in rows]
