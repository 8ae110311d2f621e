"""What is kept of a chat: redacted, searchable, deletable, or nothing at all."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from torchwhy.chat.history import MAX_KEPT_CHARS, History, enabled
from torchwhy.errors import StoreError

pytestmark = pytest.mark.promise(4, 6)

TWICE = "RuntimeError: Trying to backward through the graph a second time"


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setenv("TORCHWHY_HISTORY", "full")
    return History(tmp_path / "data" / "history.sqlite")


def test_sessions_are_kept_found_and_read(history: History) -> None:
    first = history.begin(f"Traceback (most recent call last):\n{TWICE}\n", TWICE)
    history.add(first, TWICE, "backward-twice", "## Fix\n\nretain nothing")
    history.add(first, "why?", "backward-twice", "because 100%_sure")
    second = history.begin("显存一直上涨怎么办")
    history.add(second, "显存一直上涨怎么办", None, "不知道")
    assert [(session.id, session.turns, session.entries) for session in history.sessions()] == [
        (second, 1, ()),
        (first, 2, ("backward-twice",)),
    ]
    assert history.sessions()[1].title == TWICE, "a session is named after its error"
    assert [session.id for session in history.sessions("GRAPH second")] == [first]
    assert [session.id for session in history.sessions("显存")] == [second]
    assert [session.id for session in history.sessions("100%_sure")] == [first]
    assert not history.sessions("1000sure") and not history.sessions("graph 显存")
    assert [turn.said for turn in history.turns(first)] == [TWICE, "why?"]


def test_a_whole_log_is_searched_for(history: History) -> None:
    session = history.begin(TWICE)
    history.add(session, TWICE, "backward-twice", "")
    assert [found.id for found in history.sessions("graph second " * 2000)] == [session]


def test_secrets_never_reach_the_file(history: History) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = f"export GITHUB_TOKEN={secret}\n{TWICE}"
    session = history.begin(said)
    history.add(session, said, None, f"> `{secret}`")
    data = b"".join(path.read_bytes() for path in history.path.parent.iterdir())
    assert secret.encode() not in data and TWICE.encode() in data
    assert secret not in history.page(session)


def test_deleting_leaves_nothing(history: History) -> None:
    session = history.begin("unmistakable words of mine")
    history.add(session, "unmistakable words of mine", None, "x")
    history.delete(session)
    assert history.sessions() == [] and history.turns(session) == []
    assert b"unmistakable" not in history.path.read_bytes()
    with pytest.raises(StoreError, match="no session"):
        history.page(session)


def test_a_log_is_kept_by_its_ends(history: History) -> None:
    session = history.begin("x")
    history.add(session, "head\n" + "middle\n" * 100_000 + "tail", None, "")
    said = history.turns(session)[0].said
    assert (
        len(said) < MAX_KEPT_CHARS + 100
        and said.startswith("head")
        and said.endswith("tail")
        and "characters left out" in said
    )


def test_a_page_cannot_be_broken_out_of(history: History) -> None:
    session = history.begin("x")
    history.add(session, "```\n# not a heading\n```", None, "answer")
    assert "````text\n```\n# not a heading\n```\n````" in history.page(session)


def test_for_the_user_alone(history: History) -> None:
    history.begin("x")
    assert os.stat(history.path).st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_a_file_that_was_open_to_all_is_closed(history: History) -> None:
    history.begin("RuntimeError: one")
    history.path.chmod(0o644)
    history.begin("RuntimeError: two")
    assert os.stat(history.path).st_mode & 0o077 == 0


def test_an_open_folder_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "torchwhy"
    folder.mkdir(mode=0o755)
    History(folder / "history.sqlite").begin("x")
    assert os.stat(folder).st_mode & 0o077 == 0
    History(tmp_path / "new" / "history.sqlite").begin("x")
    assert os.stat(tmp_path / "new").st_mode & 0o077 == 0


@pytest.mark.parametrize("value", ["", "errors", "on", "everything"])
def test_by_default_the_error_and_the_id_are_kept(
    history: History, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("TORCHWHY_HISTORY", value)
    log = f'private words of mine\nTraceback (most recent call last):\n  File "/home/janedoe/a.py", line 1, in f\n    x()\n{TWICE}\n\n\n$ more words'
    session = history.begin(log)
    history.add(session, log, "backward-twice", "## Why\n\nquoted private words")
    history.add(session, "why is my secret project slow?", "gpu-idle-data-bound", "answer")
    history.add(session, "thanks, my dear", None, "you are welcome")
    assert [(turn.said.splitlines()[-1], turn.entry, turn.answer) for turn in history.turns(session)] == [
        (TWICE, "backward-twice", ""),
        ("gpu-idle-data-bound", "gpu-idle-data-bound", ""),
    ]
    data = history.path.read_bytes()
    for word in (b"private words", b"secret project", b"my dear", b"more words"):
        assert word not in data
    assert history.sessions()[0].title == TWICE
    words = history.begin("why is my secret project slow?")
    assert [kept.id for kept in history.sessions()] == [session], "a session without a turn is none"
    history.add(words, "why is my secret project slow?", "gpu-idle-data-bound", "answer")
    assert history.sessions()[0].title == "gpu-idle-data-bound"


def test_off_keeps_nothing_of_a_turn(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    session = history.begin(TWICE)
    monkeypatch.setenv("TORCHWHY_HISTORY", "off")
    history.add(session, TWICE, "backward-twice", "answer")
    assert history.turns(session) == []


@pytest.mark.parametrize("level", ["full", "errors"])
def test_no_half_of_a_secret_is_kept(history: History, monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    """Redacted before it is cut: the middle of a long log falls into a token."""
    monkeypatch.setenv("TORCHWHY_HISTORY", level)
    secret = "hf_" + "aB3dE5gH7" * 4
    for offset in (5, 20, 34):
        text = (
            "x" * (MAX_KEPT_CHARS // 2 - offset) + " " + secret + "\n" + "y" * MAX_KEPT_CHARS + "\n" + TWICE
        )
        session = history.begin(text)
        history.add(session, text, None, text)
    assert b"aB3dE5gH7" not in history.path.read_bytes()


@pytest.mark.parametrize("text", ["\ud800", "a\x00b", "\ud83d\ude00", "\u061c", TWICE + "\udcff"])
def test_any_text_can_be_kept(history: History, text: str) -> None:
    session = history.begin(text)
    history.add(session, text, "backward-twice", text)
    history.page(session).encode()
    history.sessions("graph \ud800")


@pytest.mark.parametrize(
    ("value", "kept"), [("off", False), ("OFF", False), ("0", False), ("on", True), ("", True)]
)
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
