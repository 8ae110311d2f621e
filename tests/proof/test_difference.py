"""What the fix changes, read off the scripts."""

from __future__ import annotations

import time
from pathlib import Path

from tests.conftest import KB
from torchwhy.proof.difference import MAX_LINES, difference

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
        "- x += y",
        "- return x",
        "+ train(add)",
        "+ return x + y",
    ]


def test_what_cannot_be_read_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def broken(:\n")
    (tmp_path / "other.py").write_text("x = 1\n")
    for name in ("broken.py", "other.py", "missing.py"):
        assert difference(str(tmp_path / name)) == ""


def test_a_long_difference_takes_no_cube_of_the_time(tmp_path: Path) -> None:
    """Lines that resemble one another were compared each with each, once more for each that was found."""
    bodies = ["".join(f"    x{at} = {at} + {by}\n" for at in range(2500)) for by in (1, 2)]
    (tmp_path / "repro.py").write_text(f"def broken():\n{bodies[0]}\ndef fixed():\n{bodies[1]}")
    started = time.process_time()
    shown = difference(str(tmp_path / "repro.py")).splitlines()
    assert time.process_time() - started < 10
    assert (shown[0], shown[-1], len(shown)) == ("- x0 = 0 + 1", "  ...", MAX_LINES)


def test_what_acts_on_a_terminal_is_written_out(tmp_path: Path) -> None:
    (tmp_path / "repro.py").write_text(
        'def broken():\n    x = "\x1b]0;owned\x07"\n\ndef fixed():\n    pass\n'
    )
    assert '- x = "\\x1b]0;owned\\x07"' in difference(str(tmp_path / "repro.py")).splitlines()


def test_every_script_has_a_difference_that_fits() -> None:
    for script in KB.glob("[!_]*/*/repro.py"):
        lines = difference(str(script)).splitlines()
        assert 1 <= len(lines) <= MAX_LINES, script
        assert {line[0] for line in lines} <= {"-", "+", " "}, script
