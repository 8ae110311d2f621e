"""Every rule: on both legs of its entry's script, and on two programs of our own, broken and fixed, that are unlike it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import KB
from torchwhy.lint.check import findings_of
from torchwhy.lint.project import parse
from torchwhy.lint.prove import problems_of
from torchwhy.lint.rule import load_rule, rule_files

FILES = list(rule_files([KB]))
IDS = [path.parent.name for path in FILES]
PROGRAMS = Path(__file__).parent / "programs"


def reported(path: Path, text: str) -> list[int]:
    """The lines that one rule reports."""
    said: list[str] = []
    module = parse("train.py", text)
    lines = [finding.line for finding in findings_of(module, [load_rule(path)], say=said.append)]
    assert not said
    return lines


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_the_script_proves_the_rule(path: Path) -> None:
    assert problems_of(path) == []


def second(id: str, *, fixed: bool) -> str:
    """The second program of a rule as broken, or fixed: without the lines marked broken, and with those that
    are written as `#: code`. Lines keep their numbers.
    """
    text = (PROGRAMS / id / "second.py").read_text("utf-8")
    if not fixed:
        return re.sub(r"(?m)^ *#:.*$", "", text)
    lines = (re.sub(r"^\s*\S.*# (here )?broken$", "", line) for line in text.split("\n"))
    return "\n".join(re.sub(r"^(\s*)#:( |$)", r"\1", line) for line in lines)


@pytest.fixture(params=["first", "second"])
def programs(request: pytest.FixtureRequest) -> Callable[[str, bool], str]:
    """The broken or the fixed text of a rule's first or second program."""

    def text(id: str, fixed: bool) -> str:
        if request.param == "second":
            return second(id, fixed=fixed)
        return (PROGRAMS / id / ("fixed.py" if fixed else "broken.py")).read_text("utf-8")

    return text


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_the_marked_line_is_reported(path: Path, programs: Callable[[str, bool], str]) -> None:
    text = programs(path.parent.name, False)
    marked = [at for at, line in enumerate(text.split("\n"), 1) if "# here" in line]
    assert len(marked) == 1
    assert reported(path, text) == marked


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_the_fixed_program_is_left_alone(path: Path, programs: Callable[[str, bool], str]) -> None:
    assert reported(path, programs(path.parent.name, True)) == []


def test_no_rule_reports_another_rules_fixed_program() -> None:
    """A correct program is left alone by all rules, as far as they say `wrong`."""
    rules = [load_rule(path) for path in FILES]
    alarms = []
    for program in sorted(PROGRAMS.glob("*/fixed.py")):
        id = program.parent.name
        for text in (program.read_text("utf-8"), second(id, fixed=True)):
            found = findings_of(parse("train.py", text), rules)
            alarms += [f"{id}: {each.id} at {each.line}" for each in found if each.sure == "wrong"]
    assert alarms == []


def test_every_program_belongs_to_a_rule() -> None:
    assert sorted(folder.name for folder in PROGRAMS.iterdir()) == sorted(IDS)


ACTOR = """\
import torch
from torch import nn

actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
first, second = (torch.optim.Adam(each.parameters()) for each in (actor, critic))
for states, returns in batches:
    chances = torch.log_softmax(actor(states), 1)
    gain = returns - critic(states).squeeze(1)
    policy_loss = -(chances[:, 0] * gain).mean()
    value_loss = gain.square().mean()
    policy_loss.backward()
    first.step()
    value_loss.backward()
    second.step()
"""
TRUNK = """\
import torch
from torch import nn

trunk, actor, critic = nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 1)
first = torch.optim.Adam([*trunk.parameters(), *actor.parameters()])
second = torch.optim.Adam(critic.parameters())
for states, returns in batches:
    seen = torch.relu(trunk(states))
    value = critic(seen).squeeze(1)
    policy_loss = torch.log_softmax(actor(seen), 1)[:, 0].mean()
    value_loss = (value - returns).square().mean()
    first.zero_grad()
    policy_loss.backward()
    first.step()
    value_loss.backward()
    second.step()
"""
KEEPER = """\
import copy
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.seen = nn.Linear(4, 2), None

    def forward(self, x):
        h = self.body(x)
        self.seen = h
        return h

net = Net()
average = copy.deepcopy(net)
"""


@pytest.mark.parametrize(
    ("id", "broken", "line", "was", "fixed"),
    [
        ("backward-twice", ACTOR, 9, "* gain)", "* gain.detach())"),
        ("backward-twice", ACTOR, 9, "policy_loss.backward()", "policy_loss.backward(retain_graph=True)"),
        ("backward-twice", TRUNK, 15, "critic(seen)", "critic(seen.detach())"),
        ("backward-twice", TRUNK, 15, "critic(seen)", "critic(trunk(states))"),
        ("non-leaf-parameter", KEEPER, 12, "self.seen = h", "self.seen = h.detach()"),
        ("non-leaf-parameter", KEEPER, 12, "copy.deepcopy(net)", "Net()"),
    ],
)
def test_another_form_of_the_mistake(id: str, broken: str, line: int, was: str, fixed: str) -> None:
    path = FILES[IDS.index(id)]
    assert reported(path, broken) == [line]
    assert reported(path, broken.replace(was, fixed)) == []
