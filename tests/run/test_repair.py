"""A program whose answer has no edit is run again with candidates: what is shown of them, and that nothing else is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.trials import crashed
from torchwhy import Assistant
from torchwhy.answers.change import Change
from torchwhy.paste.parse import parse
from torchwhy.run.crashes import find_frame, read_records
from torchwhy.run.repair import ANEW, edited_lines, repaired
from torchwhy.run.trial import changes_to_try, tried
from torchwhy.runtime.settings import TRY
from torchwhy.source.rewrite import edited, line_edit

TWICE = """\
import torch
wide = torch.ones(6)
a, s = wide.gather(0, torch.tensor([0, 1, 2, 3])), wide.gather(0, torch.tensor([0, 1, 2, 3]))
def mixed(x, noise):
    first = a * x
    return first + s * noise
y = mixed(torch.ones(4, 3, 2, 5), torch.ones(4, 3, 2, 5))
print(y.sum().item())
"""
SPARSE = """\
import torch
torch.manual_seed(0)
config = {"rows": 5, "sparse": True}
class Tables(torch.nn.Module):
    def __init__(self, sparse):
        super().__init__()
        self.users = torch.nn.Embedding(config["rows"], 2, sparse=sparse)
        self.items = torch.nn.Embedding(config["rows"], 2, sparse=sparse)
table = Tables(config["sparse"])
optimizer = torch.optim.Adam(table.parameters())
print("begun")
table.users(torch.tensor([1, 2])).sum().backward()
optimizer.step()
print(table.users.weight.sum().item())
"""
TWO_WAYS = SPARSE.replace(
    "optimizer.step()", "sparse = True\nif not sparse: table.users.weight.grad = None\noptimizer.step()"
)


def found(folder: Path, program: str, assistant: Assistant, **env: str) -> Change | None:
    """The change that is shown of a program that crashes."""
    _, trials = crashed(folder, program, **env)
    text = (folder / "stderr").read_text()
    try:
        frame = find_frame(read_records(str(folder)), parse(text))
        answer = assistant.ask(text, source=True, lang="en", operands=frame.operands if frame else ())
        return repaired(tried(answer, changes_to_try(answer), trials), trials, assistant.ask).change
    finally:
        trials.close()


@pytest.mark.parametrize(
    ("program", "after"),
    [
        (TWICE, ["first = a[:, None, None, None] * x", "return first + s[:, None, None, None] * noise"]),
        (SPARSE, ['config = {"rows": 5, "sparse": False}']),
    ],
)
def test_the_edit_with_which_the_program_runs(
    program: str, after: list[str], tmp_path: Path, real: Assistant
) -> None:
    change = found(tmp_path, program, real)
    assert change is not None and [each.after for each in change.lines] == after
    assert change.tried is not None and change.tried[:3] == ("runs", "", ANEW) and not change.usual


def test_ways_that_differ_are_not_shown(tmp_path: Path, real: Assistant) -> None:
    change = found(tmp_path, TWO_WAYS, real)
    assert change is None or not change.lines


@pytest.mark.parametrize("write", ["torch.save(1, {path!r})", "open({path!r}, 'w').close()"])
def test_a_program_that_writes_a_file_is_not_run_again(write: str, tmp_path: Path, real: Assistant) -> None:
    path = tmp_path / "kept"
    change = found(tmp_path, SPARSE.replace('print("begun")', write.format(path=str(path))), real)
    assert path.exists() and (change is None or not change.lines)


def test_no_file_is_written_by_running_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.pt"
    file, trials = crashed(tmp_path, SPARSE)
    writes = SPARSE.replace('print("begun")', f"torch.save(1, {str(path)!r})")  # by a library in C
    again = trials.again({str(file): writes})
    assert again["verdict"] == "fails" and "Permission denied" in again["why"] and not path.exists(), again
    assert trials.again({})["printed"] == "begun\n"
    trials.close()


def test_what_tempfile_makes_is_written(tmp_path: Path, real: Assistant) -> None:
    line = "import tempfile; d = tempfile.TemporaryDirectory(); torch.save(1, d.name + '/x'); d.cleanup()"
    change = found(tmp_path, SPARSE.replace('print("begun")', line), real)
    assert change is not None and change.lines


def test_the_setting_that_runs_nothing_again(
    tmp_path: Path, real: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TRY.name, "line")
    change = found(tmp_path, SPARSE, real)
    assert change is None or not change.lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a\nb\nc", "a\nB\nc"),
        ("a\n    b\nc", "a\n    if x:\n        y\n    b\nc"),
        ("a\nb\nc", "a\nc"),
        ("a\nb\nc\nd", "A\nb\nc\nD\ne"),
        ("a\nb\nc", "x\ny\nz\nw"),
    ],
)
def test_lines_that_make_one_text_of_the_other(old: str, new: str) -> None:
    edits = [line_edit(old, each.line, each.before, each.after) for each in edited_lines("f", old, new)]
    assert edited(old, edits) == new
