"""Every command and program that the README shows is run, as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [
    line.split("  #")[0].strip()
    for language, block in BLOCKS
    if language == "sh"
    for line in block.splitlines()
]
ELSEWHERE = {
    COMMANDS[0]: "the set-up: run by .ci/run",
    ".venv/bin/pytest": "what runs this",
    "torchwhy chat": "needs a terminal: tests/test_tui.py drives it in tmux",
    "python train.py 2>&1 | torchwhy chat": "the same",
    "torchwhy mcp": "serves until its client ends it: tests/agents/test_server.py",
    "torchwhy chat --web": "serves until it is stopped: tests/test_web.py",
}
PROGRAM = """import torch
x = torch.ones(3, requires_grad=True)
y = (x * x).sum()
y.backward()
y.backward()
"""


def ran(words: list[str], folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A process with this checkout's torchwhy, and nobody at its standard input."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant"), **env}
    return subprocess.run(
        words,
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_ci_runs_the_set_up_and_the_tests() -> None:
    """`.ci/run` takes the first two commands as they stand here, and looks at the archives before the question."""
    assert COMMANDS[0].split(" && ")[2].startswith(".venv/bin/torchwhy ")
    assert COMMANDS[1] == ".venv/bin/pytest"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program that fails and a log of it."""
    folder = tmp_path_factory.mktemp("readme")
    (folder / "train.py").write_text(PROGRAM)
    (folder / "log.txt").write_text(ran([sys.executable, "train.py"], folder).stderr)
    command = folder / "torchwhy"  # found only where torchwhy is run from its folder, without being installed
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m torchwhy "$@"\n')
    command.chmod(0o755)
    return folder


@pytest.mark.parametrize("command", [each for each in COMMANDS if each not in ELSEWHERE])
def test_command(command: str, place: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{place}{os.pathsep}{os.environ['PATH']}"
    # --rewrite: nothing answers there, the plain answer stands
    model = {"TORCHWHY_LLM_URL": "http://127.0.0.1:9/v1", "TORCHWHY_LLM_MODEL": "none"}
    done = ran(["bash", "-o", "pipefail", "-c", command], place, PATH=path, **model)
    if command.startswith("torchwhy run"):  # the program's own traceback and status, then the answer
        assert done.returncode == 1, done.stderr
        assert "a second time" in done.stderr.partition("Traceback")[2], done.stderr
        assert "torchwhy show backward-twice" in done.stderr, done.stderr
        return
    assert "Traceback" not in done.stderr, done.stderr
    asks_nothing = (
        '"RuntimeError: ..."' in command or '"..."' in command or "python train.py" in command
    )  # dots fit nothing; the program fails
    assert done.returncode in ({0, 1} if asks_nothing else {0}), (
        f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    )
    assert done.stdout.strip()


@pytest.mark.parametrize("program", [block for language, block in BLOCKS if language == "python"])
def test_program(program: str, tmp_path: Path) -> None:
    done = ran([sys.executable, "-c", program], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "backward-twice" in done.stdout and "reproduces-here" in done.stdout


def test_the_first_answer_is_the_one_shown() -> None:
    shown = re.search(r"<!-- output of the first command -->\n```\n(.*?)```", README, re.DOTALL)[1].strip()  # type: ignore[index]
    question = re.search(r'"([^"]+)"', COMMANDS[0])[1]  # type: ignore[index]
    done = ran([sys.executable, "-m", "torchwhy", question], ROOT)
    assert done.stdout.startswith(shown)


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "kb/README.md"])
def test_no_page_counts_entries(name: str) -> None:
    """A number that an added entry makes wrong would have to be touched by hand each time."""
    text = (ROOT / name).read_text("utf-8")
    counted = re.findall(
        r"\b[\d,]+ (?:more )?(?:pitfalls?|entries|wordings|signatures|passages|examples)\b", text
    )
    assert counted == []


def test_how_to_write_an_entry_is_one_page() -> None:
    assert (ROOT / "kb/README.md").stat().st_size <= 6 * 1024
