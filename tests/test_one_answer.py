"""The command line, the API, the chat and an agent that stand in the user's folder give one and the same answer."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from torchwhy import Assistant

from .conftest import ROOT, Run

PROGRAM = ROOT / "tests/lint/programs/no-grad-fn/first.py"
MESSAGE = "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A traceback of a program that lies in the current folder; its mistake stands far from the line that fails."""
    lines = [
        line.removesuffix("  # broken")
        for line in PROGRAM.read_text("utf-8").splitlines()
        if not line.endswith("# fixed")
    ]
    (tmp_path / "train.py").write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    at, line = next((at, line) for at, line in enumerate(lines, 1) if "backward()" in line)
    text = f'Traceback (most recent call last):\n  File "train.py", line {at}, in <module>\n    {line.strip()}\n{MESSAGE}\n'
    (tmp_path / "log.txt").write_text(text, "utf-8")
    return text


def test_four_faces_one_answer(log: str, torchwhy: Run, real: Assistant) -> None:
    from torchwhy.agents.desk import Desk
    from torchwhy.agents.server import make_server

    here = str(real.ask(log, source=True, lang="en"))
    elsewhere = str(real.ask(log, lang="en"))
    assert here != elsewhere, "what check finds in the file bears on the answer"
    told = [line for line in here.splitlines() if line not in elsewhere]
    assert torchwhy("-f", "log.txt", "--lang", "en", "--no-vectors").stdout.strip() == here.strip()
    assert str(real.conversation(source=True).say(log)) == here
    server = make_server(Desk(vectors=False, lang="en"))
    said = str(asyncio.run(server.call_tool("diagnose", {"text": log})))
    assert any(" ".join(line.split())[:40] in " ".join(said.split()) for line in told), (told, said)
