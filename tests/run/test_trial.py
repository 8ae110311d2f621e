"""A change is tried where the program crashed: what its verdict is, and that nothing of the trial is left or done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.trials import CALL, FC, FLATTEN, PROGRAM, SECONDS, closed, crashed, edit, waiting
from torchwhy import Assistant
from torchwhy.answers.build import change_for
from torchwhy.answers.change import Tried
from torchwhy.knowledge.entry import ChangeTemplate
from torchwhy.run.environment import child_environment
from torchwhy.run.trial import Trials, changes_to_try, tried
from torchwhy.runtime.settings import TRY


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Trials]]:
    file, trials = crashed(tmp_path_factory.mktemp("net"), PROGRAM)
    yield file, trials
    trials.close()


@pytest.mark.parametrize(
    ("before", "after", "verdict", "said"),
    [
        (FC, "self.fc = nn.Linear(784, classes)", "runs", "float32[8, 10]"),
        (FC, "self.fc = nn.LazyLinear(classes)", "runs", "float32[8, 10]"),
        (FC, "self.fc = nn.Linear(785, classes)", "fails", "8x784 and 785x10"),
        # a name that nothing kept
        (FC, "self.fc = nn.Linear(width, classes)", "not tried", "is not at hand"),
        # runs at that line, and then with one row for eight labels
        (FLATTEN, "x = torch.flatten(x, 0)[None, :1000]", "fails", "line 28: ValueError"),
        (FLATTEN, "x = torch.flatten(x, 1).repeat(1, 2)[:, :1000]", "runs", "float32[8, 10]"),
        (CALL, "out = net(torch.cat([images, images], 2)[:, :, :18, :18])", "fails", "cannot be multiplied"),
        (CALL, "out = measured(images, labels)", "not tried", "the program's own code"),
        (CALL, "out = images.mean((2, 3)).repeat(1, 4)[:, :10]", "fails", "line 29: RuntimeError: element 0"),
    ],
)
def test_a_verdict(net: tuple[Path, Trials], before: str, after: str, verdict: str, said: str) -> None:
    file, trials = net
    tried = trials.verdict([edit(file, before, after)])
    assert (tried.verdict, said in f"{tried.gives} {tried.why}") == (verdict, True), tried


def test_a_line_that_is_another_one_by_now(net: tuple[Path, Trials]) -> None:
    file, trials = net
    tried = trials.verdict([{**edit(file, FC, FC), "before": "self.fc = other()"}])
    assert tried.verdict == "not tried" and "another one" in tried.why
    tried = trials.verdict([{**edit(file, FC, FC), "file": __file__}])
    assert tried.verdict == "not tried" and "no code of that file" in tried.why


@pytest.mark.parametrize(
    "attempt",
    [
        'open({made!r}, "w")',
        "__import__('os').mkdir({made!r})",
        "__import__('subprocess').run(['touch', {made!r}])",
        "__import__('socket').create_connection(('127.0.0.1', 9))",
        "open('/dev/zero').read(1)",
    ],
)
def test_a_trial_writes_connects_and_starts_nothing(
    net: tuple[Path, Trials], tmp_path: Path, attempt: str
) -> None:
    file, trials = net
    made = tmp_path / "made"
    tried = trials.verdict([edit(file, CALL, f"out = {attempt.format(made=str(made))}")])
    assert tried.verdict == "not tried" and "refused in a fork" in tried.why, tried
    assert not made.exists()


def test_a_large_model_is_tried_without_data(tmp_path: Path) -> None:
    program = "import torch\nwide = torch.nn.Linear(4000, 4000)\nx = torch.ones(2, 3999)\ny = wide(x)\nz = y.sum().item()\n"
    file, trials = crashed(tmp_path, program)
    tried = trials.verdict([edit(file, "y = wide(x)", "y = wide(torch.nn.functional.pad(x, (0, 1)))")])
    assert tried[:3] == ("runs", "float32[2, 4000]", "")  # not to line 5, where a value is wanted
    trials.close()


def test_without_data_the_fork_lets_go_of_it(tmp_path: Path) -> None:
    program = PROGRAM.replace("net = Net(10)", "large = torch.ones(50_000_000)\nnet = Net(10)")
    sizes = {}
    for how in ("on", "shapes"):
        folder = tmp_path / how
        folder.mkdir()
        file, trials = crashed(folder, program, **{TRY.name: how})
        assert trials.verdict([edit(file, FC, "self.fc = nn.Linear(784, classes)")])[:2] == (
            "runs",
            "float32[8, 10]",
        )
        assert trials.verdict([edit(file, FC, "self.fc = nn.Linear(785, classes)")]).verdict == "fails"
        while len(forks := waiting(folder)) > 1:  # a trial that has answered is ending
            time.sleep(0.05)
        fork = forks[0]
        pages = int(Path(f"/proc/{fork}/statm").read_text().split()[1])
        sizes[how] = pages * os.sysconf("SC_PAGE_SIZE")
        closed(folder, trials)
    assert sizes["on"] - sizes["shapes"] > 100_000_000, sizes


def test_what_does_not_end_is_ended_and_the_next_is_tried(tmp_path: Path) -> None:
    program = "import time, torch\nx = torch.ones(2, 3)\ny = x @ x\n"
    file, trials = crashed(tmp_path, program)
    trials.seconds = 0.5
    tried = trials.verdict([edit(file, "y = x @ x", "y = time.sleep(50)")])
    assert tried[:3] == ("not tried", "", "it took too long")
    trials.seconds = SECONDS
    assert trials.verdict([edit(file, "y = x @ x", "y = x @ x.T")])[:2] == ("runs", "float32[2, 2]")
    trials.close()


def test_nothing_outlives_it(tmp_path: Path) -> None:
    _, trials = crashed(tmp_path, "import torch\ntorch.ones(2) @ torch.ones(3)\n")
    assert len(waiting(tmp_path)) == 1
    closed(tmp_path, trials)


def test_the_first_that_fails_alone_leaves_a_fork(tmp_path: Path) -> None:
    file, trials = crashed(tmp_path, "import torch\ntorch.ones(2) @ torch.ones(3)\n")
    crashed_again = subprocess.run(
        [sys.executable, str(file)], env=child_environment(os.environ, str(tmp_path)), check=False
    )
    assert crashed_again.returncode == 1 and len(waiting(tmp_path)) == 1
    trials.close()


def test_a_program_that_would_see_the_fork_end_has_none(tmp_path: Path) -> None:
    program = "import signal, torch\nsignal.signal(signal.SIGCHLD, print)\ntorch.ones(2) @ torch.ones(3)\n"
    file, trials = crashed(tmp_path, program)
    assert trials.verdict([edit(file, "torch.ones(2) @ torch.ones(3)", "1")]).why == "no program waits"
    assert not waiting(tmp_path)
    trials.close()


def test_an_edit_of_few_programs_is_shown_where_the_whole_program_ran(
    tmp_path: Path, real: Assistant
) -> None:
    file, trials = crashed(tmp_path, PROGRAM)
    text = (file.parent / "stderr").read_text()
    answer = real.ask(text, source=True, lang="en")
    assert answer.match is not None and answer.change is not None and answer.change.after
    assert changes_to_try(answer)[0] == answer.change
    entry = answer.match.pitfall

    def unproved(changes: tuple[ChangeTemplate, ...]) -> tuple[ChangeTemplate, ...]:
        return tuple(each._replace(applied=()) for each in changes)

    signatures = tuple(each._replace(change=unproved(each.change)) for each in entry.signatures)
    whole = entry._replace(signatures=signatures, change=unproved(entry.change))
    match = answer.match._replace(load=lambda id: whole)
    untried = answer._replace(match=match, change=change_for(answer, match, match.changes))
    assert untried.change is not None and untried.change.usual and not untried.change.edits()
    changes = changes_to_try(untried)
    assert changes[0].after == answer.change.after
    assert tried(untried, changes, trials) == untried
    trials.anew = SECONDS
    shown = tried(untried, changes, trials)
    assert shown.change is not None and shown.change.edits() and not shown.change.usual
    assert shown.change.tried is not None and shown.change.tried.whole
    nobody = Trials(str(file.parent / "none"))
    assert tried(untried, changes, nobody) == untried
    assert tried(answer, [answer.change], nobody).change == answer.change._replace(
        tried=Tried("not tried", why="no program waits")
    )
    # an edit that fails there is not shown, even where it would stand untried
    (edit,) = answer.change.lines
    wrong = answer.change._replace(lines=(edit._replace(after=edit.after.replace("784", "785")),))
    failed = tried(answer._replace(change=wrong), [wrong], trials).change
    assert failed is not None and not failed.edits() and failed.usual
    assert failed.tried is not None and failed.tried.verdict == "fails"
    # where others of the entry fit, the one that runs and changes least is
    longer, shorter = (
        wrong._replace(lines=(edit._replace(after=after),))
        for after in ("self.fc = nn.LazyLinear(classes)", "self.fc = nn.Linear(784, classes)")
    )
    found = tried(answer._replace(change=wrong), [wrong, longer, shorter], trials).change
    assert found is not None and found.lines == shorter.lines and found.tried is not None
    assert [(each.lines, each.tried and each.tried.verdict) for each in found.others] == [
        (wrong.lines, "fails"),
        (longer.lines, "runs"),
    ]
    trials.close()


OF_A_LOSS = """\
import torch
model, x, y = torch.nn.Linear(3, 2), torch.ones(4, 3), torch.ones(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = torch.nn.MSELoss(reduction="none")
for _ in range(2):
    loss = criterion(model(x), y)
    {between}
    loss.backward()
"""
NONE, MEAN = 'criterion = torch.nn.MSELoss(reduction="none")', "criterion = torch.nn.MSELoss()"


BLOCKS = """\
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x


x = torch.ones(3)
for _ in range(3):
    if x.sum() > 0:
        y = Net()(x)
"""
MULTIPLE = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, wide):
        self.fc = nn.Linear(wide, 3)

    def forward(self, x):
        return self.fc(x)


net = Net(4)
out = net(torch.ones(2, 4))
"""
GROWN = """\
import torch

w = torch.ones(3, requires_grad=True)
x = torch.ones(2, 4)
y = x + 1
w += y.sum()
z = y @ w
"""
BESIDE = """\
import torch
from torch import nn

x = torch.ones(2, 4).double()
fc = nn.Linear(4, 3)
print("begun")
y = fc(x)
"""
BEGUN = "self.fc = nn.Linear(wide, 3)"
DOUBLES = "import torch\nfc = torch.nn.Linear(3, 2)\nx = torch.ones(4, 3).double()\ny = fc(x)\n"
STREAM = "import io, torch\ns = io.BytesIO(b'abcdef')\nx = torch.load(s)\n"
CALLED = "y = net(torch.ones(1, 2)).mul(2).nump()"
OFF = f"import torch\nnet = torch.nn.Linear(2, 2)\nwith torch.no_grad():\n    {CALLED}\n"
OFF_BY_A_DECORATOR = OFF.replace("with torch.no_grad():", "@torch.no_grad()\ndef made():") + "made()\n"
BLOCK_HEADS = {
    "for _ in range(3):": "for _ in range(x):",
    "if x.sum() > 0:": "if x > 0 and x < 3:",
    "def forward(self, x):": "def forwards(self, x):",  # a method under another name
}
SLOPE = """\
import torch

x = torch.ones(3)
y = x.pow(3)
slope = torch.autograd.grad(y.sum(), x)
"""
CARRIED = """\
import torch

cell = torch.nn.GRUCell(2, 3)
h = torch.zeros(1, 3)
for x in torch.ones(4, 1, 2):
    h = cell(x, h)
    loss = h.sum()
    loss.backward()
"""
ONCE = """\
import torch

w = torch.ones(3, requires_grad=True)
y = w.pow(2).sum()
y.backward()
(y + 1).backward()
"""
BEHIND_A_WITH = """\
import torch

net, x = torch.nn.Linear(2, 2), torch.ones(3, 2).double()
with torch.no_grad():
    y = net(x)
z = net(x)
"""
DERIVED = "return torch.autograd.grad(y.sum(), x)[0]"
TWICE = """\
import torch


def slope(y, x):
    return torch.autograd.grad(y.sum(), x)[0]


x = torch.ones(3, requires_grad=True)
y = x.pow(3)
first = slope(y, x)
second = slope(first, x)
"""


@pytest.mark.parametrize(
    ("program", "edits", "verdict", "said"),
    [
        (MULTIPLE, {BEGUN: "super().__init__()\n        " + BEGUN}, "runs", "to line 14"),
        (MULTIPLE, {BEGUN: "wide = 4\n        " + BEGUN}, "fails", "before Module.__init__()"),
        (GROWN, {"w += y.sum()": "with torch.no_grad():\n    w += y.sum()"}, "fails", "line 7"),
        (
            GROWN.replace("2, 4", "2, 3"),
            {"w += y.sum()": "with torch.no_grad():\n    w += y.sum()"},
            "runs",
            "",
        ),
        # a branch or a loop that an edit puts is run whole
        (
            GROWN,
            {"x = torch.ones(2, 4)": "x = torch.ones(2, 3)", "w += y.sum()": "if x.any():\n    w = w + 1"},
            "runs",
            "line 7",
        ),
        (GROWN, {"w += y.sum()": "for each in [w]:\n    each += y.sum()"}, "fails", "RuntimeError"),
        (
            GROWN,
            {"x = torch.ones(2, 4)": "x = torch.ones(2, 3)", "w += y.sum()": "w = w + 1"},
            "runs",
            "line 7",
        ),
        (
            GROWN,
            {"x = torch.ones(2, 4)": "x = torch.ones(2)", "w += y.sum()": "w = w @ y"},
            "fails",
            "RuntimeError",
        ),
        # what stands between has run, and would run on what it made
        (
            GROWN,
            {"y = x + 1": "x = x[:, :3]\ny = x + 1", "w += y.sum()": "w = w + 1"},
            "not tried",
            "no object",
        ),
        (GROWN, {"y = x + 1": "", "w += y.sum()": "w = w + 1"}, "not tried", ""),
        (SLOPE, {"y = x.pow(3)": "x.requires_grad_()\ny = x.pow(3)"}, "runs", ""),
        # it gave what the failing line reads before it was changed
        (TWICE, {DERIVED: DERIVED.replace("x)", "x, create_graph=True)")}, "not tried", "does not reach"),
        # what follows a `with` is run too
        (BEHIND_A_WITH, {"y = net(x)": "y = net(x.float())"}, "fails", "line 6"),
        # what stands behind the failing line has run before it, in a round of the loop
        (CARRIED, {"loss.backward()": "loss.backward()\n    h = h.detach()"}, "runs", "to line 8"),
        (CARRIED, {"loss.backward()": "loss.backward()\n    h = h * 1"}, "fails", "second time"),
        (ONCE, {"(y + 1).backward()": "(y + 1).backward()\ny = 1"}, "not tried", "behind the line"),
        # a line beside one that made a module is not made anew with it
        (BESIDE, {"fc = nn.Linear(4, 3)": "fc = nn.Linear(4, 3)\nfc.double()"}, "not tried", "no object"),
        (BESIDE, {"fc = nn.Linear(4, 3)": "fc = nn.Linear(4, 3).double()"}, "runs", "float64[2, 3]"),
        # a mistake in dtypes or values is tried on the data
        (DOUBLES, {"y = fc(x)": "y = fc(x.float())"}, "runs", "float32[4, 2]"),
        (DOUBLES, {"y = fc(x)": "y = fc(x.half())"}, "fails", ""),
        # what the failing line reads is made again: what stands between is left out, unless it changes that
        (OF_A_LOSS.format(between="optimizer.zero_grad()"), {NONE: MEAN}, "runs", ""),
        (
            OF_A_LOSS.format(between="loss.retain_grad()"),
            {NONE: MEAN},
            "not tried",
            "does not reach the change",
        ),
        # a stream is not read again
        (STREAM, {"x = torch.load(s)": "x = torch.ones(s.read(1)[0])"}, "not tried", ""),
        # gradients are off where they were
        *(
            (each, {CALLED: CALLED.replace("nump()", "numpy()")}, "runs", "")
            for each in (OFF, OFF_BY_A_DECORATOR)
        ),
        *((BLOCKS.replace(old, new), {new: old}, "runs", "") for old, new in BLOCK_HEADS.items()),
    ],
)
def test_an_edit_of_a_program(
    tmp_path: Path, program: str, edits: dict[str, str], verdict: str, said: str
) -> None:
    file, trials = crashed(tmp_path, program)
    tried = trials.verdict([edit(file, before, after) for before, after in edits.items()])
    assert (tried.verdict, said in f"{tried.gives} {tried.why}") == (verdict, True), tried
    trials.close()


def torchwhy(folder: Path, **env: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    words = [sys.executable, "-m", "torchwhy", "run", "--json", "out.json", "--", sys.executable, "train.py"]
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, "TORCHWHY_DATA": str(folder), "TORCHWHY_LANG": "en", **env},
        capture_output=True,
        text=True,
        check=False,
    )
    return done, json.loads((folder / "out.json").read_text())["screen"]["change"]


def test_the_screen_says_that_it_was_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    done, change = torchwhy(tmp_path)
    assert done.returncode == 1
    if change["tried"]["why"] != "it took too long":  # two seconds, on a machine that does much else
        assert (
            "  + self.fc = nn.Linear(784, classes)\n    tried here: runs, gives float32[8, 10]\n"
            in done.stderr
        )
        assert change["tried"]["verdict"] == "runs"
    assert done.stderr.count("The layer takes") == 1
    done, change = torchwhy(tmp_path, **{TRY.name: "off"})
    assert change["tried"] == {
        "verdict": "not tried",
        "gives": "",
        "why": "no program waits",
        "ms": 0,
        "whole": False,
    }
    assert "  + self.fc = nn.Linear(784, classes)\n" in done.stderr and "tried here" not in done.stderr
