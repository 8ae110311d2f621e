"""What is kept of a chat: redacted, searchable, deletable, or nothing at all."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from assistant.errors import StoreError
from assistant.history import KEPT, History, enabled

TWICE = "RuntimeError: Trying to backward through the graph a second time"


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "data" / "history.sqlite")


def test_sessions_are_kept_found_and_read(history: History) -> None:
    first = history.begin(f"Traceback (most recent call last):\n{TWICE}\n")
    history.add(first, TWICE, "backward-twice", "## Fix\n\nretain nothing")
    history.add(first, "why?", "backward-twice", "because 100%_sure")
    second = history.begin("显存一直上涨怎么办")
    history.add(second, "显存一直上涨怎么办", None, "不知道")
    assert [(session.id, session.turns, session.entries) for session in history.sessions()] == [(second, 1, ()), (first, 2, ("backward-twice",))]
    assert history.sessions()[1].title == TWICE, "a session is named after its error"
    assert [session.id for session in history.sessions("GRAPH second")] == [first]
    assert [session.id for session in history.sessions("显存")] == [second]
    assert [session.id for session in history.sessions("100%_sure")] == [first]
    assert not history.sessions("1000sure") and not history.sessions("graph 显存")
    assert [turn.said for turn in history.turns(first)] == [TWICE, "why?"]


def test_secrets_never_reach_the_file(history: History) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = f"export GITHUB_TOKEN={secret}\n{TWICE}"
    session = history.begin(said)
    history.add(session, said, None, f"> `{secret}`")
    data = b"".join(path.read_bytes() for path in history.path.parent.iterdir())
    assert secret.encode() not in data and TWICE.encode() in data
    assert secret not in history.export(session)


def test_deleting_leaves_nothing(history: History) -> None:
    session = history.begin("unmistakable words of mine")
    history.add(session, "unmistakable words of mine", None, "x")
    history.delete(session)
    assert history.sessions() == [] and history.turns(session) == []
    assert b"unmistakable" not in history.path.read_bytes()
    with pytest.raises(StoreError, match="no session"):
        history.export(session)


def test_a_log_is_kept_by_its_ends(history: History) -> None:
    session = history.begin("x")
    history.add(session, "head\n" + "middle\n" * 100_000 + "tail", None, "")
    said = history.turns(session)[0].said
    assert len(said) < KEPT + 100 and said.startswith("head") and said.endswith("tail") and "characters left out" in said


def test_export_cannot_be_broken_out_of(history: History) -> None:
    session = history.begin("x")
    history.add(session, "```\n# not a heading\n```", None, "answer")
    assert "````text\n```\n# not a heading\n```\n````" in history.export(session)


def test_for_the_user_alone(history: History) -> None:
    history.begin("x")
    assert os.stat(history.path).st_mode & 0o077 == 0


@pytest.mark.parametrize(("value", "kept"), [("off", False), ("OFF", False), ("0", False), ("on", True), ("", True)])
def test_off_by_one_setting(monkeypatch: pytest.MonkeyPatch, value: str, kept: bool) -> None:
    monkeypatch.setenv("TORCHWHY_HISTORY", value)
    assert enabled() is kept


def test_a_file_that_is_no_database(history: History) -> None:
    history.path.parent.mkdir(parents=True)
    history.path.write_text("not a database, by any means, but long enough to be read as one " * 20)
    with pytest.raises(StoreError, match="TORCHWHY_HISTORY=off"):
        history.sessions()
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(history.path).execute("SELECT * FROM sqlite_master")
