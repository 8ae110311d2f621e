"""What the fix changes, read off the scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.proof.difference import MAX_LINES, difference
from tests.conftest import KB

SCRIPTS = sorted(path for path in KB.glob("*/*/repro.py") if not path.parent.name.startswith("_"))
SCRIPT = """
def add_in_place(x, y):
    x += y
    return x


def add(x, y):
    return x + y


def train(join):
    print("the same in both")
    join(1, 2)


def broken():
    print("equal")
    train(add_in_place)


def fixed():
    print("equal")
    train(add)
"""


def test_the_lines_that_differ_and_the_helpers_that_they_name(tmp_path: Path) -> None:
    (tmp_path / "repro.py").write_text(SCRIPT)
    assert difference(str(tmp_path / "repro.py")).splitlines() == [
        "- train(add_in_place)",
        "+ train(add)",
        "- x += y",
        "- return x",
        "+ return x + y",
    ]


def test_what_cannot_be_read_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def broken(:\n")
    (tmp_path / "other.py").write_text("x = 1\n")
    for name in ("broken.py", "other.py", "missing.py"):
        assert difference(str(tmp_path / name)) == ""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.parent.name)
def test_every_script_has_a_difference_that_fits(script: Path) -> None:
    lines = difference(str(script)).splitlines()
    assert 1 <= len(lines) <= MAX_LINES
    assert {line[0] for line in lines} <= {"-", "+", " "}
