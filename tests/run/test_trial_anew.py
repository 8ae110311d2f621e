"""The whole program is run with an edit: what the line does for others and what fails further down is seen there alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.trials import SECONDS, crashed, edit
from torchwhy.answers.change import Tried
from torchwhy.run.trial import Trials
from torchwhy.runtime.settings import TRY

# One class, made twice: the wide one runs, and prints; then the narrow one fails.
TWICE = """\
import torch
class Net(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = torch.nn.Linear(size, 2)
    def forward(self, x):
        return self.fc(x[:, :4])
torch.manual_seed(0)
print(Net(4)(torch.ones(1, 4)).sum().item())
out = Net(3)(torch.ones(1, 3).repeat(1, 2))
print(out.shape)
"""
MOMENT, PROGRAM = "return self.fc(x[:, :3])", "return self.fc(x[:, : self.fc.in_features])"


def judged(folder: Path, program: str, before: str, after: str, far: bool = False) -> Tried:
    file, trials = crashed(folder, program)
    trials.anew = SECONDS
    try:
        return trials.verdict([edit(file, before, after)], far)
    finally:
        trials.close()


@pytest.mark.parametrize(
    ("after", "verdict", "why"),
    [
        (MOMENT, "fails", "1x3 and 4x2"),  # fits the object that failed alone
        (PROGRAM, "runs", "to its end"),
        # is back at another line of the program
        ("return self.fc(x[:, : self.fc.in_features]).squeeze(1).view(7)", "fails", "'[7]' is invalid"),
    ],
)
def test_what_the_line_does_for_others(tmp_path: Path, after: str, verdict: str, why: str) -> None:
    found = judged(tmp_path, TWICE, "return self.fc(x[:, :4])", after)
    assert found.whole and found.verdict == verdict and why in found.why, found


def test_what_reaches_far_changes_nothing_that_was_printed(tmp_path: Path) -> None:
    other = f"{PROGRAM} + 1"
    for at, (after, far, whole) in enumerate(
        [(other, False, True), (other, True, False), (PROGRAM, True, True)]
    ):
        folder = tmp_path / str(at)
        folder.mkdir()
        found = judged(folder, TWICE, "return self.fc(x[:, :4])", after, far)
        assert (found.verdict, found.whole) == ("runs", whole), found


def test_what_fails_further_down(tmp_path: Path) -> None:
    program = "import torch\ndef rest(y):\n    return y.view(3)\ny = torch.ones(2, 3) @ torch.ones(2, 3)\nprint(rest(y))\n"
    line = "y = torch.ones(2, 3) @ torch.ones(2, 3)"
    found = judged(tmp_path, program, line, "y = torch.ones(2, 3) @ torch.ones(3, 2)")
    assert found.whole and found.verdict == "fails" and "shape '[3]' is invalid" in found.why, found


@pytest.mark.parametrize(
    "more", ["torch.save(1, {path!r})", "open({path!r}, 'w').close()", "__import__('tempfile').mkdtemp()"]
)
def test_a_program_that_writes_gets_no_verdict_of_its_whole(tmp_path: Path, more: str) -> None:
    path = tmp_path / "kept"
    program = TWICE.replace("torch.manual_seed(0)", more.format(path=str(path)))
    file, trials = crashed(tmp_path, program)
    kept = path.stat().st_mtime_ns if path.exists() else 0
    trials.anew = SECONDS
    found = trials.verdict([edit(file, "return self.fc(x[:, :4])", MOMENT)])
    trials.close()
    assert found.verdict == "runs" and not found.whole, found
    assert (path.stat().st_mtime_ns if path.exists() else 0) == kept


def test_the_setting_that_runs_no_program_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TRY.name, "line")
    assert Trials(str(tmp_path / "none")).anew == 0
