"""Every rule: on both legs of its entry's script, and on two programs of our own that are unlike it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from assistant.lint.check import findings_of
from assistant.lint.project import parse
from assistant.lint.prove import problems_of
from assistant.lint.rule import load_rule, rule_files
from tests.conftest import KB

FILES = list(rule_files([KB]))
IDS = [path.parent.name for path in FILES]
PROGRAMS = Path(__file__).parent / "programs"


def reported(path: Path, program: Path) -> list[int]:
    """The lines that one rule reports."""
    said: list[str] = []
    module = parse(str(program), program.read_text("utf-8"))
    lines = [finding.line for finding in findings_of(module, [load_rule(path)], say=said.append)]
    assert not said
    return lines


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_the_script_proves_the_rule(path: Path) -> None:
    assert problems_of(path) == []


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_the_marked_line_is_reported(path: Path) -> None:
    program = PROGRAMS / path.parent.name / "broken.py"
    marked = [at for at, line in enumerate(program.read_text("utf-8").split("\n"), 1) if "# here" in line]
    assert len(marked) == 1
    assert reported(path, program) == marked


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_the_fixed_program_is_left_alone(path: Path) -> None:
    program = PROGRAMS / path.parent.name / "fixed.py"
    ast.parse(program.read_text("utf-8"))
    assert reported(path, program) == []


def test_no_rule_reports_another_rules_fixed_program() -> None:
    """A correct program is left alone by all rules, as far as they say `wrong`."""
    rules = [load_rule(path) for path in FILES]
    alarms = []
    for program in sorted(PROGRAMS.glob("*/fixed.py")):
        module = parse(str(program), program.read_text("utf-8"))
        alarms += [
            f"{program.parent.name}: {each.id}" for each in findings_of(module, rules) if each.sure == "wrong"
        ]
    assert alarms == []


def test_every_program_belongs_to_a_rule() -> None:
    assert sorted(folder.name for folder in PROGRAMS.iterdir()) == sorted(IDS)
