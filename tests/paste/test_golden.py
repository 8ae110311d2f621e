"""Golden pastes: each text in golden/ with the expected parse beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from torchwhy.paste.parse import parse

PASTES = sorted(Path(__file__).with_name("golden").glob("*.txt"))


@pytest.mark.parametrize("path", PASTES, ids=[path.stem for path in PASTES])
def test_golden(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
    paste = parse(path.read_bytes().decode("utf-8"))
    shown = [(error.role, error.exception, error.message[:60]) for error in paste.errors]
    assert paste.lang == expected["lang"]
    if "root" in expected:
        if expected["root"] is None:
            assert paste.root is None, shown
        else:
            assert paste.root is not None, shown
            name, message = expected["root"]
            assert paste.root.exception == name, shown
            assert paste.root.message.startswith(message), shown
    if "message" in expected:
        assert paste.root is not None and paste.root.message == expected["message"]
    if "roles" in expected:
        assert [error.role for error in paste.errors if error.role != "advice"] == expected["roles"], shown
    for role in expected.get("has", ()):
        assert role in [error.role for error in paste.errors], shown
    if "rank" in expected:
        assert paste.root is not None and paste.root.rank == expected["rank"]
    if "user_line" in expected:
        assert paste.root is not None and paste.root.user_frame is not None
        assert paste.root.user_frame.code == expected["user_line"]
    if "words" in expected:
        assert expected["words"] in paste.words
    assert set(expected.get("foreign", [])) <= set(paste.foreign)


def test_distilled_is_the_error_not_the_beginning() -> None:
    text = (
        "noise line\n" * 500
        + 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f(x)\nValueError: the real one\n'
    )
    assert parse(text).distilled.startswith("ValueError: the real one\nf(x)")
