"""Broken programs as users write them, each run bare and under `torchwhy run`: the entry, the line, the operands, and
the same bytes and status.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import follows_schema
from tests.support.terminal import environment

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n"
DATA = HEAD + "from torch.utils.data import DataLoader, Dataset\n"
RANKS = HEAD + "import torch.distributed as dist\ndist.init_process_group('gloo')\nrank = dist.get_rank()\n"


class Program(NamedTuple):
    """`# HERE` stands behind the line that is to be named; `operands`: names that are to be told."""

    entry: str
    source: str
    operands: tuple[str, ...]


PROGRAMS = {
    "linear": Program(
        "matmul-shape-mismatch",
        HEAD
        + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(84, 10)\n"
        "    def forward(self, x):\n        return self.fc(x)  # HERE\nNet()(torch.randn(32, 400))\n",
        ("self.fc", "x", "self.fc.weight"),
    ),
    "worker": Program(
        "double-vs-float",
        DATA + "class Rows(Dataset):\n    layer = nn.Linear(3, 3)\n    def __len__(self):\n        return 8\n"
        "    def __getitem__(self, i):\n        x = torch.randn(3, dtype=torch.float64)\n        return self.layer(x)  # HERE\n"
        "if __name__ == '__main__':\n    for batch in DataLoader(Rows(), batch_size=4, num_workers=2):\n        pass\n",
        ("self.layer", "x"),
    ),
    "thread": Program(
        "matmul-shape-mismatch",
        HEAD + "import sys, threading\ndone = []\ndef work(a, b):\n    done.append(a @ b)  # HERE\n"
        "t = threading.Thread(target=work, args=(torch.ones(2, 3), torch.ones(2, 3)))\nt.start()\nt.join()\nsys.exit(not done)\n",
        ("a", "b"),
    ),
    "swallowed": Program(
        "matmul-shape-mismatch",
        HEAD
        + "import logging, sys\ntry:\n    a, b = torch.ones(2, 3), torch.ones(2, 3)\n    print(a @ b)  # HERE\n"
        "except RuntimeError:\n    logging.exception('training failed')\n    sys.exit(3)\n",
        (),  # the program prints it itself
    ),
    "ranks": Program(
        "backward-twice",
        RANKS
        + "x = torch.ones(3, requires_grad=True)\nloss = (x * x).sum()\nloss.backward()\nif rank == 1:\n"
        "    loss.backward()  # HERE\ndist.barrier()\n",
        ("loss",),
    ),
    "test_model": Program(
        "matmul-shape-mismatch",
        HEAD
        + "def test_model():\n    model = nn.Linear(4, 2)\n    x = torch.ones(3, 5)\n    assert model(x).shape == (3, 2)  # HERE\n",
        (),  # the program prints it itself
    ),
}
UNSTEADY = ("ranks", "test_model")  # what these print differs from run to run: times, ports, process ids


def command(name: str) -> list[str]:
    if name == "ranks":
        return [
            sys.executable,
            "-m",
            "torch.distributed.run",
            "--standalone",
            "--nproc-per-node=2",
            "ranks.py",
        ]
    if name == "test_model":
        return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_model.py"]
    return [sys.executable, f"{name}.py"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    (tmp_path / f"{name}.py").write_text(program.source)
    env = {
        **environment(),
        "OMP_NUM_THREADS": "1",
        "GLOO_SOCKET_IFNAME": "lo",
        "TORCHWHY_DATA": str(tmp_path / "data"),
    }
    words = command(name)
    wrapped = [sys.executable, "-m", "torchwhy", "run", "--quiet", "--json", "out.json", "--", *words]
    done = subprocess.run(wrapped, cwd=tmp_path, env=env, capture_output=True, timeout=200, check=False)
    data = json.loads((tmp_path / "out.json").read_text())
    follows_schema(data, "answers/answer.schema.json")
    assert data["match"]["id"] == program.entry
    here = data["here"]
    line = next(number for number, text in enumerate(program.source.splitlines(), 1) if "# HERE" in text)
    assert (os.path.basename(here["file"]), here["line"]) == (f"{name}.py", line)
    assert {item["name"] for item in here["operands"]} >= set(program.operands)
    if name not in UNSTEADY:
        bare = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, timeout=200, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (bare.returncode, bare.stdout, bare.stderr)
    else:
        assert done.returncode == 1
