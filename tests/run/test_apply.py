"""`torchwhy last --apply` writes the edit of the last run into the user's file, and nothing else."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from torchwhy.answers.change import EDIT_PARTS
from torchwhy.errors import UsageError
from torchwhy.run import last
from torchwhy.source.rewrite import Edit, rewritten

BEFORE = "out = torch.ones(2, 3) @ torch.ones(2, 3)  # µ"
AFTER = "out = torch.ones(2, 3) @ torch.ones(2, 3).T  # µ"
CHANGE = {"file": "train.py", "line": 3, "before": BEFORE, "after": AFTER, "usual": False}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A failed program, and the record of its run."""
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_bytes(
        f"import torch\r\nif True:\r\n    {BEFORE}\r\nprint(out)\r\n".encode()
    )
    (tmp_path / "train.py").chmod(0o750)
    return tmp_path


def keep(change: dict[str, Any] | None) -> None:
    if change is not None and "edits" not in change:
        change = {**change, "edits": [{name: change[name] for name in EDIT_PARTS}] if change["after"] else []}
    last.keep([sys.executable, "train.py"], 1, None, "page", {"screen": {"change": change}})


def apply(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "torchwhy", "last", "--apply", *words]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)


def test_the_edit_is_written_and_the_file_kept_as_it_was(folder: Path) -> None:
    file = folder / "train.py"
    was = file.read_bytes()
    keep(CHANGE)
    done = apply("--yes")
    assert done.returncode == 0, done.stderr
    assert f"-    {BEFORE}" in done.stdout and f"+    {AFTER}" in done.stdout
    assert file.read_bytes() == was.replace(BEFORE.encode(), AFTER.encode())
    assert stat.S_IMODE(file.stat().st_mode) == 0o750
    (copy,) = (folder / "data" / "applied").iterdir()
    assert copy.read_bytes() == was and str(copy) in done.stderr
    done = apply("--yes")  # the line is another one now
    assert done.returncode == 2 and "another one by now" in done.stderr


def test_lines_come_change_and_go_in_one_step_in_several_files(folder: Path) -> None:
    (folder / "net.py").write_bytes(b"def f(x):\r\n    y = x\r\n    return y\r\n")
    edits = [
        {"file": "train.py", "line": 3, "before": BEFORE, "after": f"import net\n    {AFTER}"},
        {"file": "net.py", "line": 2, "before": "y = x", "after": ""},
        {"file": "net.py", "line": 3, "before": "return y", "after": "return x"},
    ]
    was = (folder / "train.py").read_bytes()
    keep({**CHANGE, "edits": edits})
    done = apply("--yes")
    assert done.returncode == 0, done.stderr
    new = was.replace(BEFORE.encode(), f"import net\r\n    {AFTER}".encode())
    assert (folder / "train.py").read_bytes() == new
    assert (folder / "net.py").read_bytes() == b"def f(x):\r\n    return x\r\n"
    assert len([*(folder / "data" / "applied").iterdir()]) == 2
    (folder / "train.py").write_bytes(was)
    done = apply("--yes")  # of one file the line is another one now: neither is written
    assert done.returncode == 2 and (folder / "train.py").read_bytes() == was


def test_nothing_is_written_unasked(folder: Path) -> None:
    was = (folder / "train.py").read_bytes()
    keep(CHANGE)
    done = apply()
    assert done.returncode == 2 and "--yes" in done.stderr and done.stdout.startswith("---")
    assert (folder / "train.py").read_bytes() == was


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (None, "edits no line"),
        ({**CHANGE, "after": ""}, "edits no line"),
        # a token was taken out of what is kept
        ({**CHANGE, "after": 'out = load(token="hf_' + "aB3" * 11 + 'x")'}, "edits no line"),
        ({**CHANGE, "line": 2}, "another one by now"),
        ({**CHANGE, "line": 40}, "cannot be written"),
        ({**CHANGE, "file": "gone.py"}, "cannot be written"),
        ({**CHANGE, "after": "out = ("}, "more than its lines"),
    ],
)
def test_what_cannot_be_written_is_said_in_one_line(
    folder: Path, change: dict[str, Any] | None, said: str
) -> None:
    was = (folder / "train.py").read_bytes()
    keep(change)
    done = apply("--yes")
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1
    assert (folder / "train.py").read_bytes() == was


def test_a_damaged_record_is_none(folder: Path) -> None:
    keep(CHANGE)
    path = folder / "data" / last.NAME
    data = json.loads(path.read_text())
    data["answer"]["screen"] = {"change": {"applicable": True, "file": 3}}
    path.write_text(json.dumps(data))
    done = apply("--yes")
    assert done.returncode == 2 and "cannot be written" in done.stderr
    path.write_text("{")
    assert apply("--yes").returncode == 1


def test_a_link_is_left_alone(folder: Path) -> None:
    os.symlink("train.py", folder / "link.py")
    assert rewritten(str(folder / "link.py"), [Edit(1, 0, 6, "import")]) is None


def test_a_terminal_is_asked_and_the_command_runs_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from torchwhy.commands.last import agreed, apply, edited_files

    keep(CHANGE)
    kept = last.read()
    assert kept is not None
    monkeypatch.setattr("builtins.input", lambda _: "n")
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert apply(kept, False, "en") == 1
    ((_, was, content),) = edited_files(kept)
    assert was != content
    ran: list[list[str]] = []
    monkeypatch.setattr("builtins.input", lambda _: "y")
    monkeypatch.setattr(sys.modules["torchwhy.cli.main"], "main", lambda words: ran.append(words) or 0)
    assert apply(kept, False, "en") == 0 and ran == [["run", "--", sys.executable, "train.py"]]
    monkeypatch.undo()
    with pytest.raises(UsageError, match="--yes"):
        agreed("?")


class Terminal:
    def isatty(self) -> bool:
        return True
