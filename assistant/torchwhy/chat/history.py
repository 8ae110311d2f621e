"""What was said in earlier chats: one SQLite file in the user's data folder.

TORCHWHY_HISTORY says how much is kept: `errors` (the default) the leading error of each message and the id of
the entry that answered it, `full` the messages and answers, `off` nothing. Secrets are taken out of the whole
text before anything is cut from it or written. Every call opens and closes the file, so several chats can run
at once.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Literal

from torchwhy.errors import StoreError
from torchwhy.runtime import locations, settings
from torchwhy.text.plain import escaped

SCHEMA = """
CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY, started TEXT NOT NULL, title TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS turn (
    session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, at TEXT NOT NULL,
    said TEXT NOT NULL, entry TEXT, answer TEXT NOT NULL, PRIMARY KEY (session, number));
"""
MAX_KEPT_CHARS = 64 << 10  # of one message: its head and tail
MAX_TITLE_CHARS = 120
MAX_SEARCHED_WORDS = 100  # of what is searched for; SQLite takes some 300
OPEN_TIMEOUT_S = 10  # for another chat that is writing


Level = Literal["full", "errors", "off"]


@dataclass(frozen=True, slots=True)
class Session:
    """One chat. `started` is UTC, ISO 8601; `title` its first line; `entries` the pitfalls that it met."""

    id: int
    started: str
    title: str
    turns: int
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """One turn as it was kept: `said` is redacted, `answer` is Markdown."""

    said: str
    entry: str | None
    answer: str


def level() -> Level:
    """How much is kept of a chat, by TORCHWHY_HISTORY; a word that means nothing keeps no more than the
    default.
    """
    value = settings.HISTORY.read().strip().lower()
    if value in ("off", "0", "no", "false"):
        return "off"
    return "full" if value == "full" else "errors"


def enabled() -> bool:
    """Whether anything of a chat is kept."""
    return level() != "off"


class History:
    """The kept chats. Raises StoreError where the file cannot be read or written."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or locations.data_folder() / "history.sqlite"

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            locations.make_private(self.path.parent)
            if not self.path.exists():
                # For the user alone, from the first byte.
                os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
            elif os.name == "posix" and self.path.stat().st_mode & 0o077:  # a backup that was put back
                self.path.chmod(0o600)
            with closing(sqlite3.connect(self.path, timeout=OPEN_TIMEOUT_S)) as db:
                db.execute("PRAGMA foreign_keys=ON")
                db.execute("PRAGMA secure_delete=ON")
                db.executescript(SCHEMA)
                with db:
                    yield db
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"{escaped(self.path)} cannot be used ({escaped(str(error))}); "
                "TORCHWHY_HISTORY=off goes on without it"
            ) from error

    def begin(self, said: str, error: str = "", traceback: str | None = None) -> int:
        """Start a session named after the first message's error, else its first line; returns its number.

        `traceback`: see `add`.
        """
        from torchwhy.text.exits import kept

        title = _first_line(kept(error) if error else _last_error_line(_kept(said, traceback)))
        with self._open() as db:
            added = db.execute("INSERT INTO session(started, title) VALUES (?,?)", (_now(), title))
            return int(added.lastrowid or 0)

    def add(
        self, session: int, said: str, entry: str | None, answer: str, traceback: str | None = None
    ) -> None:
        """Keep one turn, as far as the level says. `answer` quotes the message, so it is redacted as well.

        `traceback`: the lines of the message's leading error, "" where it has none; None reads them from
        `said`. Of words without an error the id of the entry stands for the message, and names a session that
        has no name yet; a follow-up about the entry of the turn before then leaves nothing to keep.
        """
        from torchwhy.text.exits import kept

        error = _kept(said, traceback)
        said = error or entry or ""
        answer = kept(answer) if level() == "full" else ""
        if level() == "off" or not said:
            return
        with self._open() as db:
            db.execute(
                "UPDATE session SET title = ? WHERE id = ? AND title = ''", (_first_line(said), session)
            )
            number, before = db.execute(
                "SELECT number, entry FROM turn WHERE session = ? ORDER BY number DESC LIMIT 1", (session,)
            ).fetchone() or (0, None)
            if not error and entry == before:
                return
            db.execute(
                "INSERT INTO turn VALUES (?,?,?,?,?,?)", (session, number + 1, _now(), said, entry, answer)
            )

    def sessions(self, search: str = "", limit: int = 200) -> list[Session]:
        """Sessions, newest first; with `search`, those that say all of its words (in any case)."""
        from torchwhy.text.plain import plain

        words = plain(search).split()[:MAX_SEARCHED_WORDS]
        where = "".join(
            " AND (s.title LIKE ? ESCAPE '\\' OR EXISTS (SELECT 1 FROM turn t WHERE t.session = s.id "
            "AND (t.said LIKE ? ESCAPE '\\' OR t.answer LIKE ? ESCAPE '\\')))"
            for _ in words
        )
        values = [f"%{_literal(word)}%" for word in words for _ in range(3)]
        with self._open() as db:
            rows = db.execute(
                "SELECT s.id, s.started, s.title, (SELECT count(*) FROM turn t WHERE t.session = s.id), "
                "(SELECT group_concat(e, ' ') FROM (SELECT DISTINCT entry AS e FROM turn t "
                "WHERE t.session = s.id AND entry IS NOT NULL)) "
                "FROM session s WHERE EXISTS (SELECT 1 FROM turn t WHERE t.session = s.id)"
                f"{where} ORDER BY s.id DESC LIMIT ?",
                (*values, limit),
            ).fetchall()
        return [
            Session(id, started, title, turns, tuple((entries or "").split()))
            for id, started, title, turns, entries in rows
        ]

    def turns(self, session: int) -> list[KeptTurn]:
        with self._open() as db:
            return [
                KeptTurn(*row)
                for row in db.execute(
                    "SELECT said, entry, answer FROM turn WHERE session = ? ORDER BY number", (session,)
                )
            ]

    def delete(self, session: int) -> None:
        """Forget a session; its text is overwritten in the file."""
        with self._open() as db:
            db.execute("DELETE FROM session WHERE id = ?", (session,))

    def page(self, session: int) -> str:
        """A session as Markdown. Raises StoreError where there is none."""
        from torchwhy.text.markup import fence

        with self._open() as db:
            row = db.execute("SELECT started, title FROM session WHERE id = ?", (session,)).fetchone()
        if row is None:
            raise StoreError(f"no session {session} is kept")
        parts = [f"# torchwhy, {row[0]}"]
        for turn in self.turns(session):
            parts += [fence(turn.said), turn.answer.strip(), "---"]
        return "\n\n".join(parts) + "\n"


def _kept(said: str, traceback: str | None) -> str:
    """What is kept of a message, of which the lines of its leading error may be known: redacted first, then
    cut.
    """
    from torchwhy.text.exits import kept

    if level() == "full":
        return cut(kept(said))
    return leading_error(kept(said)) if traceback is None else cut(kept(traceback))


def leading_error(text: str) -> str:
    """The error of a text that an answer starts from, with its traceback; "" where there is none."""
    from torchwhy.paste.parse import parse

    paste = parse(cut(text))
    if paste.root is None:
        return ""
    return cut("\n".join(paste.lines[paste.root.start : paste.root.end]))


def cut(text: str) -> str:
    """Head and tail of a long text."""
    if len(text) <= MAX_KEPT_CHARS:
        return text
    half = MAX_KEPT_CHARS // 2
    return f"{text[:half]}\n[... {len(text) - MAX_KEPT_CHARS} characters left out ...]\n{text[-half:]}"


def _last_error_line(kept: str) -> str:
    """Of a kept traceback the line of the exception, which names a session better than its first line."""
    lines = [line for line in kept.splitlines() if line.strip()]
    return lines[-1] if lines and lines[0].startswith("Traceback") else kept


def _first_line(text: str) -> str:
    return next((" ".join(line.split())[:MAX_TITLE_CHARS] for line in text.splitlines() if line.strip()), "")


def _literal(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
