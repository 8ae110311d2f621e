"""What was said in earlier chats: one SQLite file in the user's data folder. TORCHWHY_HISTORY=off keeps nothing.

Secrets are taken out before anything is written; a log is kept by its head and tail. Every call opens and closes the
file, so several chats can run at once.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from . import locations
from .errors import StoreError

SCHEMA = """
CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY, started TEXT NOT NULL, title TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS turn (
    session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE, number INTEGER NOT NULL, at TEXT NOT NULL,
    said TEXT NOT NULL, entry TEXT, answer TEXT NOT NULL, PRIMARY KEY (session, number));
"""
KEPT = 64 << 10  # characters of one message that are kept: its head and tail


@dataclass(frozen=True, slots=True)
class Session:
    """One chat. `started` is UTC, ISO 8601; `title` its first line; `entries` the pitfalls that it met."""

    id: int
    started: str
    title: str
    turns: int
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """One turn as it was kept: `said` is redacted, `answer` is Markdown."""

    said: str
    entry: str | None
    answer: str


def enabled() -> bool:
    """Whether chats are kept (TORCHWHY_HISTORY=off: no)."""
    return os.environ.get("TORCHWHY_HISTORY", "on").lower() not in ("off", "0", "no", "false")


class History:
    """The kept chats. Raises StoreError where the file cannot be read or written."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or locations.data_folder() / "history.sqlite"

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not self.path.exists():
                os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))  # for the user alone, from the first byte
            with closing(sqlite3.connect(self.path, timeout=10)) as db:
                db.execute("PRAGMA foreign_keys=ON")
                db.execute("PRAGMA secure_delete=ON")
                db.executescript(SCHEMA)
                with db:
                    yield db
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{self.path} cannot be used ({error}); TORCHWHY_HISTORY=off goes on without it") from error

    def begin(self, said: str) -> int:
        """Start a session named after its first message; returns its number."""
        from .redact import redact

        with self._open() as db:
            return int(db.execute("INSERT INTO session(started, title) VALUES (?,?)", (_now(), _title(redact(cut(said))))).lastrowid or 0)

    def add(self, session: int, said: str, entry: str | None, answer: str) -> None:
        """Keep one turn. `answer` quotes the message, so it is redacted as well."""
        from .redact import redact

        said, answer = redact(cut(said)), redact(answer)
        with self._open() as db:
            number = db.execute("SELECT coalesce(max(number), 0) + 1 FROM turn WHERE session = ?", (session,)).fetchone()[0]
            db.execute("INSERT INTO turn VALUES (?,?,?,?,?,?)", (session, number, _now(), said, entry, answer))

    def sessions(self, search: str = "", limit: int = 200) -> list[Session]:
        """Sessions, newest first; with `search`, those that say all of its words (in any case)."""
        where = "".join(
            " AND (s.title LIKE ? ESCAPE '\\' OR EXISTS (SELECT 1 FROM turn t WHERE t.session = s.id "
            "AND (t.said LIKE ? ESCAPE '\\' OR t.answer LIKE ? ESCAPE '\\')))"
            for _ in search.split()
        )
        values = [f"%{_literal(word)}%" for word in search.split() for _ in range(3)]
        with self._open() as db:
            rows = db.execute(
                "SELECT s.id, s.started, s.title, (SELECT count(*) FROM turn t WHERE t.session = s.id), "
                "(SELECT group_concat(e, ' ') FROM (SELECT DISTINCT entry AS e FROM turn t WHERE t.session = s.id AND entry IS NOT NULL)) "
                f"FROM session s WHERE 1{where} ORDER BY s.id DESC LIMIT ?",
                (*values, limit),
            ).fetchall()
        return [Session(id, started, title, turns, tuple((entries or "").split())) for id, started, title, turns, entries in rows]

    def turns(self, session: int) -> list[Kept]:
        with self._open() as db:
            return [Kept(*row) for row in db.execute("SELECT said, entry, answer FROM turn WHERE session = ? ORDER BY number", (session,))]

    def delete(self, session: int) -> None:
        """Forget a session; its text is overwritten in the file."""
        with self._open() as db:
            db.execute("DELETE FROM session WHERE id = ?", (session,))

    def export(self, session: int) -> str:
        """A session as Markdown. Raises StoreError where there is none."""
        from .render import fence

        with self._open() as db:
            row = db.execute("SELECT started, title FROM session WHERE id = ?", (session,)).fetchone()
        if row is None:
            raise StoreError(f"no session {session} is kept")
        parts = [f"# torchwhy, {row[0]}"]
        for turn in self.turns(session):
            parts += [fence(turn.said), turn.answer.strip(), "---"]
        return "\n\n".join(parts) + "\n"


def cut(text: str) -> str:
    """Head and tail of a long text."""
    if len(text) <= KEPT:
        return text
    half = KEPT // 2
    return f"{text[:half]}\n[... {len(text) - KEPT} characters left out ...]\n{text[-half:]}"


def _title(text: str) -> str:
    from .paste import parse

    paste = parse(text)
    root = paste.root
    if root is not None and root.exception:
        text = f"{root.name}: {root.message}"
    return next((" ".join(line.split())[:120] for line in text.splitlines() if line.strip()), "")


def _literal(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
