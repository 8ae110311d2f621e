"""A program that crashes, and what its trial needs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from torchwhy.run.environment import child_environment
from torchwhy.run.trial import Trials

SECONDS = 100.0  # of a machine that does much else
PROGRAM = """\
import torch
from torch import nn
from torch.nn import functional as F

SIZES = {"hidden": 1000}


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.fc = nn.Linear(SIZES["hidden"], classes)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        x = torch.flatten(x, 1)
        return self.fc(x)


def measured(out, labels):
    return F.cross_entropy(out, labels)


net = Net(10)
images = torch.randn(8, 3, 16, 16)
labels = torch.randint(0, 10, (8,))
out = net(images)
loss = F.cross_entropy(out, labels)
loss.backward()
print("end")
"""
FC, FLATTEN, CALL = (
    'self.fc = nn.Linear(SIZES["hidden"], classes)',
    "x = torch.flatten(x, 1)",
    "out = net(images)",
)


def crashed(folder: Path, program: str, *words: str, **env: str) -> tuple[Path, Trials]:
    """A program that has ended, and the trials, of the failing line alone, that the fork of the first process
    which failed waits for.
    """
    file = folder / "train.py"
    file.write_text(program)
    trials = Trials(str(folder), SECONDS, anew=0.0)
    environment = child_environment({**os.environ, "OMP_NUM_THREADS": "1", **env}, str(folder))
    command = [sys.executable, *words, str(file), str(folder / "store")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Traceback" in done.stderr, done
    (folder / "stderr").write_text(done.stderr)
    return file, trials


def edit(file: Path, before: str, after: str) -> dict[str, Any]:
    lines = file.read_text().splitlines()
    (line,) = (number for number, text in enumerate(lines, 1) if text.strip() == before)
    return {"file": str(file), "line": line, "before": before, "after": after}


def waiting(folder: Path) -> list[str]:
    """The processes of the run with this folder."""
    marker = f"TORCHWHY_RUN_FOLDER={folder}\0".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            found += [path.parent.name] if marker in path.read_bytes() else []
    return found


def closed(folder: Path, trials: Trials) -> None:
    """The fork ends, soon."""
    trials.close()
    end = time.monotonic() + SECONDS
    while waiting(folder) and time.monotonic() < end:
        time.sleep(0.05)
    assert not waiting(folder)
