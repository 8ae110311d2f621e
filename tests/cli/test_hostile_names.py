"""Names of files, folders and ids from outside, as the terminal gets to see them; and who may read what is kept."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from tests.conftest import Run, write_entry
from torchwhy.chat import history
from torchwhy.proof import confirm_all
from torchwhy.runtime import locations

ODD = "a\x1b[31mred\x1b]0;owned\x07\u061c\u202e\x9b2J"
FORGED = "x\ntorchwhy: all is well"
CONTROL = set("\x1b\x07\x08\x9b\r\u061c\u202e")

COMMANDS = [
    ["-f", "{name}"],
    ["show", "{name}"],
    ["repro", "{name}"],
    ["confirm", "{name}"],
    ["confirm", "backward-twice", "--python", "{name}"],
    ["confirm", "backward-twice", "--paste", "{name}"],
    ["confirm", "--all", "--only", "{name}"],
    ["list", "--category", "{name}"],
    ["list", "--kb", "{name}"],
    ["kb", "check", "{name}"],
    ["kb", "check", "--only", "{name}"],
    ["kb", "new", "{name}"],
    ["kb", "new", "shapes/my-pitfall", "--kb", "/dev/null/{name}"],
    ["eval", "{name}"],
    ["machine", "--report", "{name}"],
    ["index", "--model", "/none/{name}"],
    ["--lang", "{name}", "x"],
    ["list", "--{name}"],
]


@pytest.mark.skipif(os.name != "posix", reason="such names are POSIX's")
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: "-".join(words[:3]))
def test_a_name_acts_on_no_terminal(torchwhy: Run, words: list[str]) -> None:
    for name in (ODD, FORGED):
        done = torchwhy(*(word.replace("{name}", name) for word in words), env={"TORCHWHY_LANG": "en"})
        assert not CONTROL & set(done.stdout + done.stderr), done.stderr
        assert "\ntorchwhy: all is well" not in done.stderr
        assert "Traceback" not in done.stderr and done.returncode in (1, 2)


@pytest.mark.skipif(os.name != "posix", reason="such names are POSIX's")
def test_a_hostile_entry_is_shown_escaped(torchwhy: Run, tmp_path: Path) -> None:
    folder = write_entry(tmp_path / ODD, "made-up")
    (folder / ODD).write_text("unknown file")
    write_entry(tmp_path / ODD, FORGED.replace("/", ""), category=ODD)
    for words in (["list"], ["kb", "check", ODD], ["confirm", "made-up", "--python", sys.executable]):
        done = torchwhy(*words, *([] if words[0] == "kb" else ["--kb", ODD, "--no-vectors"]))
        assert not CONTROL & set(done.stdout + done.stderr), done.stderr
        assert "\ntorchwhy: all is well" not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_a_carriage_return_overwrites_nothing(torchwhy: Run) -> None:
    done = torchwhy(
        "--no-vectors", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (3x4 and 5x6)\rSAFE\x08\x08"
    )
    assert not CONTROL & set(done.stdout + done.stderr)


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_what_is_kept_is_for_its_owner_alone(
    torchwhy: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path / "torchwhy"))
    monkeypatch.setenv("TORCHWHY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TORCHWHY_RUNNER", "env")
    monkeypatch.chdir(tmp_path)
    before = os.umask(0)
    try:
        kept = history.History()
        kept.add(kept.begin("RuntimeError: x"), "RuntimeError: x", "an-entry", "answer")
        confirm_all.write_json(locations.data_folder() / "evidence" / "cpu.json", {"entries": {}})
        write_entry(tmp_path / "kb")
        torchwhy("confirm", "made-up", "--trust", "--kb", "kb", "--no-vectors", "--python", "/bin/false")
    finally:
        os.umask(before)
    for root in (tmp_path / "torchwhy", tmp_path / "cache"):
        modes = {str(path): stat.S_IMODE(path.stat().st_mode) for path in (root, *root.rglob("*"))}
        assert len(modes) > 3
        assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}


def test_a_line_of_a_file_acts_on_no_terminal_in_json(torchwhy: Run, tmp_path: Path) -> None:
    """What the answer tells of the user's own file is whatever stands there."""
    code = "        return self.fc(x)"
    (tmp_path / "t.py").write_text(
        "class N:\n    def __init__(self):\n"
        f"        self.fc = nn.Linear(256, 10)  # \x9b2J\u202e\u200b\n    def forward(self, x):\n{code}\n"
    )
    text = (
        f'Traceback (most recent call last):\n  File "{tmp_path}/t.py", line 5, in forward\n{code}\n'
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x512 and 256x10)\n"
    )
    done = torchwhy("--json", "--no-vectors", text)
    assert not {"\x9b", "\u202e", "\u200b"} & set(done.stdout)
    assert "\u202e" in json.loads(done.stdout)["origins"][0]["code"]  # the text is the same one
