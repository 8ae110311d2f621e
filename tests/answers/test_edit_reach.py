"""How far an edit reaches: what else of the program the edited line changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.edits import changed
from torchwhy.answers.edit_reach import reaches_further
from torchwhy.knowledge.entry import EditTemplate
from torchwhy.paste.place import UserFrame
from torchwhy.source.own_file import read_source

REACH = """import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)
    def forward(self, x):
        y = self.fc(x)
        return y
net = Net()
loss = losses(net(x))
loss.backward()
"""


@pytest.mark.parametrize(
    ("more", "line", "before", "after", "reaches"),
    [
        ("", 12, "loss.backward()", "loss.mean().backward()", False),
        ("print(loss.item())\n", 12, "loss.backward()", "loss.mean().backward()", True),
        ("print(net)\n", 12, "loss.backward()", "loss.mean().backward()", False),
        ("", 8, "y = self.fc(x)", "y = self.fc(x.float())", False),
        ("second = Net()\n", 8, "y = self.fc(x)", "y = self.fc(x.float())", True),
        ("copy.deepcopy(net)\n", 8, "y = self.fc(x)", "y = self.fc(x.float())", True),
        ("second = Net()\n", 6, "self.fc = nn.Linear(2, 3)", "self.fc = nn.Linear(4, 3)", True),
        ("", 6, "self.fc = nn.Linear(2, 3)", "self.fc = nn.Linear(4, 3)", False),
        ("net.fc(other)\n", 6, "self.fc = nn.Linear(2, 3)", "self.fc = nn.Linear(4, 3)", True),
        ("print(x)\n", 11, "loss = losses(net(x))", "loss = losses(net(x).sum())", False),
        ("print(x)\n", 11, "loss = losses(net(x))", "loss = losses(net(x.float()))", True),
        ("print(x)\n", 11, "loss = losses(net(x))", "loss = losses(net(x, 1))", False),
        # what else is given to the object lacks the same
        ("net(other)\n", 11, "loss = losses(net(x))", "loss = losses(net(x.float()))", True),
        ("net(torch.ones(2))\n", 11, "loss = losses(net(x))", "loss = losses(net(x.float()))", False),
        ("net(b)\n", 12, "a = net(f(b))", "a = net(f(b, 1))", False),
        # a name that gives way to a number is as it was, unless it stands so further down
        ("print(a)\n", 12, "b = f(a + 1)", "b = f(4)", False),
        ("g(a + 1)\n", 12, "b = f(a + 1)", "b = f(4)", True),
        ("x.item()\n", 12, "b = x.view(2)", "b = x.reshape(2)", False),
        # the line reads it twice, and the edit reaches one of them
        ("", 12, "x = x - x.mean()", "x = x - x.float().mean()", True),
        # another part of the same thing
        ('f(s["b"])\n', 12, 'f(s["a"])', 'f(g(s["a"]))', False),
        ('f(s["a"])\n', 12, 'f(s["a"])', 'f(g(s["a"]))', True),
        ("torch.ones(2)\n", 12, "f(torch.load(p))", "f(g(torch.load(p)))", False),
    ],
)
def test_how_far_an_edit_reaches(
    tmp_path: Path, more: str, line: int, before: str, after: str, reaches: bool
) -> None:
    (tmp_path / "a.py").write_text(REACH + more)
    text = REACH.splitlines()[line - 1].strip()
    source = read_source(UserFrame(str(tmp_path / "a.py"), line, text, "f"))
    assert source is not None and reaches_further(source, line, before, after) == reaches


def test_what_ran_well_on_a_line_above_is_not_edited_inside(tmp_path: Path) -> None:
    text = REACH.replace("Net()", "Net()\nnet(y)")
    (tmp_path / "a.py").write_text(text)
    here = UserFrame(str(tmp_path / "a.py"), 8, "y = self.fc(x)", "forward", "")
    for line, edited in ((12, False), (11, True)):
        outside = UserFrame(here.file, line, text.splitlines()[line - 1], "<module>", "")
        found = changed(EditTemplate(append=".float()"), here, {}, callers=(outside,))
        assert found is not None and bool(found.after) == edited
