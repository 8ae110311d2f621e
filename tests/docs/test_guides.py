"""The guides' commands are run as they stand, in a fresh folder, by a shell that knows only torchwhy and a Python with torch."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.guides import GUIDES, ORDER, guide_pages
from docs.record import RECORDED
from tests.support.guides import commands_of
from tests.support.terminal import environment

# What needs something that is not here: an installation, Slurm, several processes of torch, a client that talks.
NOT_HERE = re.compile(
    r"^(python3 -m venv|\.venv/|srun |torchwhy mcp|torchwhy run (--stall 300 )?-- torchrun)"
)
# The status of what does not end with 0; a line that begins so.
STATUS = {
    "torchwhy run": 1,  # the program's own
    "python train.py 2>&1 | torchwhy": 1,  # the program's own, where a shell fails with any part of a pipe
    "torchwhy check": 1,  # it finds something
    'torchwhy --json "RuntimeError: ..."': 1,  # fits nothing
}
LOSES = """\
import torch

model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Softmax(dim=1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(20):
    loss = torch.nn.functional.cross_entropy(model(torch.randn(8, 4)), torch.randint(0, 3, (8,)))
    loss.backward()
    optimizer.step()
"""
NOTEBOOK = (
    '{"cells": [{"cell_type": "code", "source": "import math\\nif loss.item() == math.nan:\\n    stop()"}]}'
)


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Where `torchwhy` is this tree's, `python` the one of these tests, and own folders are empty."""
    folder = tmp_path_factory.mktemp("bin")
    for name, words in (("torchwhy", f"{sys.executable} -m torchwhy"), ("python", sys.executable)):
        (folder / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (folder / name).chmod(0o755)
    env = environment()
    return {
        **env,
        "PATH": f"{folder}:{env['PATH']}",
        "TORCHWHY_DATA": str(folder / "data"),
        "TORCHWHY_LANG": "en",
    }


@pytest.fixture
def project(tmp_path: Path, env: dict[str, str]) -> Path:
    """What the guides speak of: a program that fails, logs of it, a notebook, a revision of git."""
    (tmp_path / "train.py").write_bytes((RECORDED / "train.py").read_bytes())
    done = subprocess.run(
        ["python", "train.py"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert "mat1 and mat2" in done.stderr
    (tmp_path / "logs").mkdir()
    for name in ("log.txt", "slurm-1234.out", "logs/slurm-1234.out"):
        (tmp_path / name).write_text(f"epoch 1\n{done.stderr}")
    (tmp_path / "analysis.ipynb").write_text(NOTEBOOK)
    (tmp_path / "src").mkdir()
    git = "git init -q && git add train.py && git -c user.name=a -c user.email=a@b commit -q -m a && git branch origin/main"
    subprocess.run(git, cwd=tmp_path, shell=True, check=True)
    for name in ("train.py", "src/net.py"):
        (tmp_path / name).write_text(LOSES + (tmp_path / "train.py").read_text("utf-8"))
    return tmp_path


def test_every_command_of_a_guide_runs(name: str, project: Path, env: dict[str, str]) -> None:
    """With the status that the guide speaks of, and without a word of torchwhy's own about a wrong request."""
    ran, before = 0, ""  # what a line exports holds for those below it
    for line in commands_of(GUIDES / f"{name}.en.md"):
        if NOT_HERE.match(line):
            continue
        if "team-kb" in line and name == "own-knowledge":
            written(project)
        elif "team-kb" in line:
            continue  # made by the guide of its own
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", before + line],
            cwd=project,
            env=env,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        wanted = next((status for start, status in STATUS.items() if line.startswith(start)), 0)
        assert done.returncode == wanted, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        before += f"{line}\n" if line.startswith("export ") else ""
        ran += 1
    assert ran


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_script_that_reads_json_runs(lang: str, project: Path, env: dict[str, str]) -> None:
    text = (GUIDES / f"agents.{lang}.md").read_text("utf-8")
    (script,) = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)

    def printed(log: str) -> subprocess.CompletedProcess[str]:
        if log:
            (project / "log.txt").write_text(log)
        words = [sys.executable, "-c", script]
        return subprocess.run(words, cwd=project, env=env, capture_output=True, text=True, check=False)

    match, here = printed("").stdout.splitlines()
    assert match.startswith("matmul-shape-mismatch 0.9") and "train.py 1" in here
    frame = 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    x["b"]\n'
    assert printed(f"{frame}KeyError: 'b'\n").stdout.splitlines() == ["KeyError 'b'", 'a.py 3 x["b"]']
    assert "host-memory-grows" in printed("host RAM grows until the job is killed").stdout
    (project / "log.txt").unlink()
    assert printed("").returncode == 1


def written(project: Path) -> None:
    """The entry as the guide writes it, once the template was copied."""
    folder = project / "team-kb/data/our-loader-schema"
    if folder.is_dir():
        for name, text in zip(("pitfall.yaml", "asks.en.txt", "asks.zh.txt"), entry_of("en"), strict=True):
            (folder / name).write_text(text, "utf-8")


def entry_of(lang: str) -> list[str]:
    """The entry's text and its questions in English and Chinese."""
    text = (GUIDES / f"own-knowledge.{lang}.md").read_text("utf-8")
    return re.findall(r"^```(?:yaml|text)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def test_the_teams_entry_is_the_same_in_both_languages() -> None:
    assert entry_of("en") == entry_of("zh")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", ORDER)


def test_no_page_is_written_over_another() -> None:
    addresses = [page.address for page in guide_pages()]
    assert len(addresses) == len(set(addresses))
