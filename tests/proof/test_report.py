"""What is meant for others: a script that needs no tool, and a bug report without secrets."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import KB, ROOT, Run, write_entry
from tests.support.scripts import GOOD, script
from torchwhy import Assistant
from torchwhy.machine import torch_probe
from torchwhy.proof.report import error_text, report
from torchwhy.text.whereabouts import MARK

pytestmark = pytest.mark.promise(4)

TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."
GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
PROBE = torch_probe.Probe(
    "/home/alice/env/bin/python",
    "3.11.0",
    "linux",
    torch="2.13.0+cpu",
    packages={"numpy": "2.4.6", "Triton": "3.5.0", "secret-project": "1"},
)


# torchwhy repro


def test_the_script_stands_alone(torchwhy: Run, tmp_path: Path) -> None:
    write_entry(tmp_path / "kb", repro=script(GOOD))
    done = torchwhy("repro", "made-up", "--kb", str(tmp_path / "kb"))
    assert (done.returncode, done.stderr) == (0, "")
    header = [line for line in done.stdout.splitlines() if line.startswith("#")]
    assert header[0] == "# Two tensors are joined along a dimension while their other sizes differ"
    assert any("python repro.py --fixed" in line for line in header)
    assert done.stdout.endswith(script(GOOD))
    path = tmp_path / "repro.py"
    path.write_text(done.stdout)
    ran = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)
    assert ran.returncode == 1 and "Sizes of tensors must match" in ran.stderr
    assert subprocess.run([sys.executable, str(path), "--fixed"], check=False).returncode == 0
    compiled = compile(done.stdout, "repro.py", "exec")
    assert compiled.co_consts[0] == "A made-up script.", "the header leaves the docstring a docstring"


def test_the_header_says_where_it_was_seen(torchwhy: Run) -> None:
    done = torchwhy("repro", "backward-twice")
    assert "torch 2.13.0+cpu on cpu" in done.stdout.split('"""')[0]
    assert "assistant" not in done.stdout


def test_repro_in_chinese_and_json(torchwhy: Run) -> None:
    assert "用报错的那个 Python 运行" in torchwhy("repro", "backward-twice", "--lang", "zh").stdout
    data = json.loads(torchwhy("repro", "backward-twice", "--json").stdout)
    assert data["id"] == "backward-twice" and "def broken()" in data["script"]


def test_an_entry_without_a_script(torchwhy: Run, assistant: Assistant) -> None:
    id = next(id for id, entry in assistant.pitfalls.items() if entry.no_repro)
    done = torchwhy("repro", id)
    assert (done.returncode, done.stdout) == (2, "") and f"{id} has no script" in done.stderr


# torchwhy report


def test_a_report(torchwhy: Run, tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(
        f'epoch 1\nTraceback (most recent call last):\n  File "/home/alice/x/train.py", line 3, in <module>\n    loss.backward()\n{TWICE} {GITHUB}\n'
    )
    done = torchwhy("report", "-f", "log.txt")
    assert done.returncode == 0, done.stderr
    text = done.stdout
    for heading in (
        "# `RuntimeError: Trying to backward",
        "## The error",
        "## Diagnosis",
        "## Confirmed on this machine?",
        "## Environment",
    ):
        assert f"\n{heading}" in f"\n{text}"
    assert (
        f'File "/home/{MARK}/x/train.py", line 3' in text and "alice" not in text and "a1B2c3D4" not in text
    )
    assert "**backward-twice**" in text and "torchwhy repro backward-twice" in text
    assert "torch: 2.13.0" in text and f"platform: {platform.system()}" in text
    assert "Not run" in text
    script = text.split("```python\n")[1].split("\n```")[0]  # a reader without this tool can run it
    assert (
        "def broken()" in script
        and text.rstrip().endswith(")")
        and text.count("<details>") == text.count("</details>") == 1
    )
    assert "document 00" not in text
    chinese = torchwhy("report", "-f", "log.txt", "--lang", "zh").stdout
    assert "## 报错" in chinese and "## 环境" in chinese


def test_the_whole_text_is_told_where_it_is_wanted(torchwhy: Run) -> None:
    text = f"{TWICE} in zorkium {GITHUB}"
    assert "zorkium" not in torchwhy("report", text, "--no-vectors").stdout
    full = torchwhy("report", text, "--no-vectors", "--full-text").stdout
    assert "zorkium" in full and "a1B2c3D4" not in full


def test_a_report_with_a_proof(torchwhy: Run) -> None:
    done = torchwhy("report", TWICE, "--confirm", "--json")
    assert done.returncode == 0, done.stderr
    text = json.loads(done.stdout)["report"]
    assert "confirmed: this machine fails with the message that was pasted" in text
    assert "without the fix" in done.stderr


def test_a_report_of_another_machine(torchwhy: Run, tmp_path: Path) -> None:
    """With a pasted report of torch.utils.collect_env, the environment is that machine's."""
    interpreters = (ROOT / "tests" / "machine" / "reports" / "linux-gpu.txt").read_text("utf-8")
    (tmp_path / "log.txt").write_text(f"{TWICE}\n\n{interpreters}")
    text = torchwhy("report", "-f", "log.txt", "--no-vectors").stdout
    assert (
        "torch.version: 2.3.1+cu121" in text
        and "gpu.name: NVIDIA GeForce RTX 3090" in text
        and "2.13.0" not in text.split("## Environment")[1].split("<details>")[0]
    )


def test_a_report_of_something_unknown(torchwhy: Run) -> None:
    done = torchwhy("report", "FrobnicationError: the widget 7c is not a gizmo", "--no-vectors")
    assert done.returncode == 1
    assert "torchwhy knows nothing that fits." in done.stdout and "FrobnicationError" in done.stdout


def test_an_empty_report(torchwhy: Run) -> None:
    done = torchwhy("report")
    assert (done.returncode, done.stdout) == (2, "") and len(done.stderr.splitlines()) == 1


def test_a_paste_cannot_leave_its_fence(assistant: Assistant) -> None:
    text = report(assistant.ask(f"```\n# Owned\n<img src=x>\n\x1b[2J{TWICE} ``` `` <script>"), PROBE, None)
    assert "\x1b" not in text
    inside, marker = False, ""
    for line in text.splitlines():
        if line.startswith("```") and (not inside or line.strip() == marker):
            inside, marker = not inside, line.rstrip("abcdefghijklmnopqrstuvwxyz")
        elif not inside:
            assert "<script>" not in line or line.startswith("# `"), line
    assert not inside


def test_a_foreign_script_brings_neither_a_secret_nor_an_escape_code_into_a_report(
    torchwhy: Run, tmp_path: Path
) -> None:
    """A script of somebody else's base may be a link to a file of the user's, and act on a terminal."""
    keys = tmp_path / "credentials"
    keys.write_text(f"[default]\naws_secret_access_key = {GITHUB}\nnotes of mine\n")
    base = tmp_path / "kb"
    entry = (KB / "autograd" / "backward-twice" / "pitfall.yaml").read_text("utf-8")
    folder = write_entry(base, "backward-twice", "autograd", entry, script(f'print("\x1b[2J{GITHUB}")'))
    done = torchwhy("report", TWICE, "--kb", str(base))
    assert done.returncode == 0 and 'print("\\x1b[<redacted>")' in done.stdout
    assert GITHUB not in done.stdout and "\x1b" not in done.stdout
    (folder / "repro.py").unlink()
    (folder / "repro.py").symlink_to(keys)
    done = torchwhy("report", TWICE, "--kb", str(base))
    assert done.returncode == 0 and "backward-twice" in done.stdout
    assert GITHUB not in done.stdout and "notes of mine" not in done.stdout


def test_long_tracebacks_are_cut(assistant: Assistant) -> None:
    frames = "".join(
        f'  File "/x/train.py", line {number}, in f{number}\n    f{number}()\n' for number in range(500)
    )
    text = error_text(assistant.ask(f"Traceback (most recent call last):\n{frames}{TWICE}"), str)
    assert len(text.splitlines()) <= 62 and "lines left out" in text
    assert text.startswith("Traceback") and text.endswith(TWICE)


def test_the_environment_names_no_path_and_no_own_package(assistant: Assistant) -> None:
    text = report(assistant.ask(TWICE), PROBE, None)
    assert "numpy==2.4.6 triton==3.5.0" in text
    assert "alice" not in text and "secret-project" not in text
