"""The program's own names in a change."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from assistant.answers.change import Change
from assistant.answers.own_names import in_own_names, own_names, renamed
from assistant.paste.place import Here

PROGRAM = """\
import torch
from torch import nn, optim

class Block(nn.Module):
    def forward(self, x):
        return x

class Net(Block):
    def forward(self, x):
        return x

net = Net().to("cpu")
opt = optim.AdamW(net.parameters(), lr=1e-3)
sched = optim.lr_scheduler.StepLR(opt, 3)
crit = nn.CrossEntropyLoss()
err = crit(net(x), y)
err.backward()
"""


def names(folder: Path, program: str, line: int) -> dict[str, str]:
    file = folder / "train.py"
    file.write_text(program, encoding="utf-8")
    code = program.splitlines()[line - 1].strip()
    return own_names([Here(str(file), line, code, "<module>")])


def test_each_thing_is_called_as_in_the_program(tmp_path: Path) -> None:
    assert names(tmp_path, PROGRAM, 17) == {
        "model": "net",
        "optimizer": "opt",
        "scheduler": "sched",
        "loss": "err",
        "loss_fn": "crit",
        "criterion": "crit",
    }


@pytest.mark.parametrize(
    ("more", "lost"),
    [
        ("other = optim.SGD(net.parameters(), lr=1.0)\n", "optimizer"),
        ("second = nn.MSELoss()\n", "loss_fn"),
        ("model = net\n", "model"),  # the entries' own name is there: whose it is, is the program's business
        ("more = crit(net(x), y)\nmore.backward()\n", "loss"),
    ],
)
def test_what_is_not_clear_is_left(tmp_path: Path, more: str, lost: str) -> None:
    assert lost not in names(tmp_path, PROGRAM + more, 17)


def test_of_two_models_the_one_that_is_trained(tmp_path: Path) -> None:
    assert names(tmp_path, PROGRAM.replace("err = ", "teacher = Net()\nerr = "), 18)["model"] == "net"


def test_an_attribute_of_self(tmp_path: Path) -> None:
    program = PROGRAM.replace("opt", "self.opt").replace("net.", "self.net.").replace("net =", "self.net =")
    found = names(tmp_path, program.replace("from torch import nn, self.optim", "from torch import nn"), 17)
    assert found["model"] == "self.net" and found["optimizer"] == "self.opt"


@pytest.mark.parametrize(
    ("code", "want"),
    [
        ("model.eval()", "net.eval()"),
        ("self.model.eval()", "self.model.eval()"),
        ("wrap(model=model)  # the model", "wrap(model=net)  # the model"),
        ("loss = f(x)\nloss.backward()", "err = f(x)\nerr.backward()"),
        ('state["model"]', 'state["model"]'),
        ("net = wrap(model)", "net = wrap(model)"),  # one name would stand for two things
        ("pip install --upgrade 'model", "pip install --upgrade 'model"),
    ],
)
def test_names_in_code(code: str, want: str) -> None:
    assert renamed(code, {"model": "net", "loss": "err"}) == want


def test_names_in_sentences() -> None:
    change = Change("", "Call `model.eval()` of the model.", "", "`model.train(False)`")
    told = in_own_names(change, {"model": "net"})
    assert (told.text, told.alternative) == ("Call `net.eval()` of the model.", "`net.train(False)`")


def test_many_classes_are_read_in_linear_time(tmp_path: Path) -> None:
    def cost(times: int) -> float:
        classes = "".join(f"class A{number}(Module):0\n" for number in range(700 * times))
        (tmp_path / "t.py").write_text(f"x = y\n{classes}class B({'M,' * 9_000 * times}):0\n")
        started = time.process_time()
        own_names([Here(str(tmp_path / "t.py"), 1, "x = y", "f")])
        return time.process_time() - started

    assert min(cost(4) for _ in range(2)) < 9 * max(cost(1) for _ in range(2))
