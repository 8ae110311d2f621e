"""Every rule: on both legs of its entry's script, and on programs of our own, broken and fixed, that are unlike it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import KB
from tests.support.legs import legs, line_to_name
from torchwhy.lint.check import findings_of
from torchwhy.lint.rule import load_rule, rule_files
from torchwhy.lint.rule_proof import problems_of
from torchwhy.source.project import parse

RULES = {path.parent.name: load_rule(path) for path in rule_files([KB])}
PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*/*.py"))


@pytest.mark.parametrize("id", RULES)
def test_the_script_proves_the_rule(id: str) -> None:
    assert problems_of(RULES[id].path) == []


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_mistake_is_reported_at_its_line_and_its_correction_by_no_rule(program: Path) -> None:
    broken, fixed = legs(program.read_text("utf-8"))
    rule, said = RULES[program.parent.name], list[str]()
    found = findings_of(parse("train.py", broken), [rule], say=said.append)
    assert [each.line for each in found] == [line_to_name(broken)]
    assert findings_of(parse("train.py", fixed), [rule], say=said.append) == []
    others = findings_of(parse("train.py", fixed), list(RULES.values()), say=said.append)
    assert [each for each in others if each.sure == "wrong"] == []
    assert not said
