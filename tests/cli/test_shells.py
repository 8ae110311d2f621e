"""Completion in real shells on a pseudo-terminal, and `torchwhy doctor`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import Run, write_entry
from tests.support.terminal import Terminal
from torchwhy import Assistant
from torchwhy.commands import doctor
from torchwhy.commands.completion import SHELLS, script
from torchwhy.runtime.install import install_line

STARTS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set enable-bracketed-paste off'; source {file}"),
    "zsh": (["zsh", "-f", "-i"], "autoload -U compinit; compinit -D -u; source {file}"),
    "fish": (["fish", "--no-config", "--interactive"], "source {file}"),
}
READY = b"the shell is ready"


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("torchwhy show backward-tw", "show backward-twice"),
        ("torchwhy confirm --only backward-tw", "--only backward-twice"),
        ("torchwhy machi", "torchwhy machine"),
        ("torchwhy list --category autogr", "--category autograd"),
        ("torchwhy --lang zh confirm --edi", "confirm --edited"),
        ("torchwhy kb che", "kb check"),
        ("torchwhy kb check --onl", "check --only"),
        ("torchwhy confirm --paste my-log-o", "--paste my-log-of-today.txt"),
        ("torchwhy run my-log-o", "run my-log-of-today.txt"),
        ("torchwhy completion fi", "completion fish"),
    ],
)
@pytest.mark.parametrize("shell", SHELLS)
def test_a_tab_completes(shell: str, typed: str, completed: str, real: Assistant, tmp_path: Path) -> None:
    """In a shell that has no torchwhy at all in its PATH: a key press starts no process of it."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    file = tmp_path / f"completion.{shell}"
    categories = {entry.category for entry in real.pitfalls.values()}
    file.write_text(script(shell, sorted(real.pitfalls), categories), "utf-8")
    (tmp_path / "my-log-of-today.txt").touch()
    words, start = STARTS[shell]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "TERM": "xterm", "LC_ALL": "C.UTF-8", "PS1": "$ "}
    with Terminal(words, str(tmp_path), env, size=(24, 200)) as terminal:
        terminal.type(f"{start.format(file=file)}; echo the shell is'' ready\r".encode())
        terminal.wait_for(READY, 60)
        begun = len(terminal.seen)
        terminal.type(f"{typed}\t".encode())
        terminal.wait_for(lambda seen: _shows(seen[begun:], completed), 30)


def _shows(seen: bytes, wanted: str) -> bool:
    """Whether what a line editor drew holds a text; it may draw only what a key press added."""
    import re

    text = re.sub(r"\x1b(?:\[[0-9;?]*[a-zA-Z]|\][^\x07]*\x07|[=>(B]+)", "", seen.decode("utf-8", "replace"))
    text = re.sub(r".\x08|\x07", "", text)
    return wanted in text


def test_the_command_prints_the_script_with_a_teams_own_ids(torchwhy: Run, tmp_path: Path) -> None:
    write_entry(tmp_path / "kb", id="our-own-mistake")
    done = torchwhy("completion", "bash", "--kb", str(tmp_path / "kb"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "our-own-mistake" in done.stdout and "backward-twice" in done.stdout
    assert torchwhy("completion", "tcsh").returncode == 2


def test_the_doctor_looks_at_every_part(torchwhy: Run) -> None:
    done = torchwhy("doctor", "--json")
    parts = {part["name"]: part for part in json.loads(done.stdout)["parts"]}
    for name in ("torchwhy", "knowledge", "model", "vectors", "cache", "data"):
        assert parts[name]["state"] == "good", parts[name]
    assert {"torch", "gpu", "guards", "web", "mcp", "embed"} <= set(parts)
    assert done.returncode == 0


def test_the_doctor_names_the_command_that_mends(torchwhy: Run, tmp_path: Path) -> None:
    """A folder that is a file, and an entry that is broken: both are said, and the rest is looked at."""
    (tmp_path / "file").touch()
    write_entry(tmp_path / "kb", yaml="title: [")
    done = torchwhy(
        "doctor", "--kb", str(tmp_path / "kb"), "--json", env={"TORCHWHY_DATA": str(tmp_path / "file")}
    )
    parts = {part["name"]: part for part in json.loads(done.stdout)["parts"]}
    assert done.returncode == 1
    assert parts["data"]["state"] == "fix"
    assert parts["data"]["command"].startswith("export TORCHWHY_DATA=")
    assert parts["knowledge"]["state"] == "fix"
    assert parts["knowledge"]["command"] == "torchwhy kb check"
    assert parts["model"]["state"] == "good"


def test_an_altered_model_is_to_be_mended(monkeypatch: pytest.MonkeyPatch, own_data: None) -> None:
    from torchwhy.embedding import adapter
    from torchwhy.errors import ModelError

    def altered(model: object) -> str:
        raise ModelError("weights.bin: not the file that was shipped")

    monkeypatch.setattr(adapter, "key", altered)
    parts = {part.name: part for part in doctor.examine(None, None, "en")}
    assert parts["model"].state == "fix"
    assert "weights.bin" in parts["model"].found
    assert parts["model"].command == install_line(again=True)
    assert parts["data"].state == "good"
