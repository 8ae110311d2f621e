"""`torchwhy check --build`: programs that really run, with their loops cut from the start."""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

import pytest

from torchwhy.cli.main import main
from torchwhy.commands import check_build

HELPERS = """\
import torch


def fit(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def predicted(model, loader):
    model.eval()
    with torch.no_grad():
        return torch.cat([model(x).argmax(1) for x, _ in loader])
"""
HAS_LANDLOCK = sys.platform == "linux" and ctypes.CDLL(None).syscall(444, None, 0, 1) > 0
# Three weeks of training, as `sleep` has it, before what stands behind it.
TRAIN = """\
import argparse
import os
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from helpers import fit, predicted

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2000000)
parser.add_argument("--size", type=int, default=1200)
args = parser.parse_args()
data = TensorDataset(torch.randn(args.size, 8), torch.randint(0, 3, (args.size,)))
loader = DataLoader(data, 16, shuffle=True)
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for epoch in range(args.epochs):
    fit(model, loader, optimizer)
    time.sleep(1)
    os.makedirs("checkpoints", exist_ok=True)
    torch.save(model.state_dict(), "checkpoints/last.pt")
    with open("log.txt", "a") as log:
        log.write("an epoch\\n")
"""
END = """\
model.load_state_dict(torch.load("checkpoints/last.pt"))
classifier = nn.Linear(16, 3)
print(predicted(model, loader), classifier(model[:3](data.tensors[0])))
"""
ON_GPU = """\
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Linear(72, 3)).to(device)
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.amp.GradScaler("cuda")
x, y = torch.randn(4, 1, 8, 8), torch.randint(0, 3, (4,))
for _ in range(2):
    optimizer.zero_grad()
    with torch.autocast("cuda"):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
torch.save(model.state_dict(), "model.pt")
model.load_state_dict(torch.load("model.pt"))
guess = model(x.to(device)).argmax(1)
assert guess.is_cuda and loss.device.type == "cuda" and next(model.parameters()).grad.is_cuda
print(guess.cpu().numpy(), (guess == y).float())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    monkeypatch.setattr(check_build, "WHOLE_S", 0)
    (tmp_path / "helpers.py").write_text(HELPERS)
    return tmp_path


def build(
    capsys: pytest.CaptureFixture[str], folder: Path, program: str, *words: str
) -> tuple[int, list[tuple[str, int]], str]:
    """The exit status, the id and line of each finding, standard error."""
    (folder / "train.py").write_text(program)
    status = main(["check", "--build", "--json", "--lang", "en", *words[:1], "train.py", *words[1:]])
    out, err = capsys.readouterr()
    return status, [(each["id"], each["line"]) for each in json.loads(out)["findings"]], err


def line_of(program: str, code: str) -> int:
    return next(number for number, line in enumerate(program.splitlines(), 1) if code in line)


def test_what_fails_behind_long_training_is_told_and_no_file_is_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "checkpoints").mkdir()
    (folder / "checkpoints" / "last.pt").write_text("of the last run")
    (folder / "log.txt").write_text("of the last run\n")
    broken = TRAIN + END.replace("16, 3", "17, 3")
    status, found, _ = build(capsys, folder, broken)
    assert (status, found) == (1, [("matmul-shape-mismatch", line_of(broken, "print(predicted"))])
    assert (folder / "checkpoints" / "last.pt").read_text() == "of the last run"
    assert (folder / "log.txt").read_text() == "of the last run\n"
    assert {path.name for path in folder.iterdir()} == {"checkpoints", "helpers.py", "log.txt", "train.py"}


def test_the_same_without_the_mistake_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found, err = build(capsys, folder, TRAIN + END)
    assert (status, found, err.count("\n")) == (0, [], 1)
    assert not (folder / "checkpoints").exists()


def test_the_last_batch_is_reached(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--no-vectors", "--", "--size", "160001")
    status, found, _ = build(capsys, folder, TRAIN + END, *words)
    assert (status, [id for id, _ in found]) == (1, ["batchnorm-single-sample"])
    dropping = TRAIN.replace("shuffle=True", "shuffle=True, drop_last=True") + END
    assert build(capsys, folder, dropping, *words)[:2] == (0, [])


def test_an_error_that_comes_from_the_cut_is_no_finding(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found, err = build(capsys, folder, TRAIN + "print(predicted(model, loader) + data.tensors[1])\n")
    assert (status, found) == (0, [])
    assert "2 of 2 loops reached" in err and "changes with how the loops are cut" in err


def test_nothing_is_written_elsewhere_no_command_started_nobody_asked(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    (folder / "other.py").write_text("as it was")
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "model.pt"
    program = f"""\
import os, pathlib, urllib.request, torch

def refused(do):
    try:
        do()
    except OSError as error:
        return "here" in str(error)

assert refused(lambda: open({str(elsewhere)!r}, "w"))
assert refused(lambda: os.system("touch " + {str(elsewhere)!r}))
assert refused(lambda: os.rename("helpers.py", {str(elsewhere)!r}))
assert refused(lambda: urllib.request.urlopen("http://192.0.2.1/", timeout=5))
if {HAS_LANDLOCK}:
    try:
        torch._C.PyTorchFileWriter("other.py")  # which no audit hook hears
    except RuntimeError:
        pathlib.Path("other.py").write_text("changed")
pathlib.Path("helpers.py").unlink()
torch.save({{}}, {str(elsewhere)!r})
"""
    status, found, err = build(capsys, folder, program)
    assert (status, found) == (0, [])
    assert f"stopped at train.py:{line_of(program, 'torch.save')}: RefusedError: nothing is written" in err
    assert not elsewhere.exists() and (folder / "helpers.py").read_text() == HELPERS
    assert (folder / "other.py").read_text() == "as it was"


def test_what_was_left_on_the_cpu_is_told_without_a_gpu(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found, _ = build(capsys, folder, ON_GPU, "--gpu")
    assert (status, found) == (1, [("device-mismatch", line_of(ON_GPU, "guess == y"))])
    assert build(capsys, folder, ON_GPU.replace("guess == y", "guess == y.to(device)"), "--gpu")[:2] == (
        0,
        [],
    )


def test_a_program_without_end_is_ended(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_build, "LIMIT_S", 1)
    status, found, err = build(capsys, folder, "import torch\nwhile True:\n    pass\n")
    assert (status, found) == (0, [])
    assert "1 of 1 loops reached; stopped at train.py:" in err and "the time is up" in err


def test_what_cannot_be_asked(folder: Path) -> None:
    assert main(["check", "--build", str(folder)]) == 2
    assert main(["check", "--gpu", str(folder)]) == 2
