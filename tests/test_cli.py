"""The command line as a user meets it: each test runs the real program in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from assistant.cli import parse_line
from assistant.errors import UsageError

from .conftest import ROOT, write_entry

TWICE = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."


def test_a_message_as_an_argument(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy(TWICE)
    assert done.returncode == 0
    assert done.stdout.startswith("# ") and "**backward-twice**" in done.stdout
    for heading in ("## Why", "## Fix", "## How to check it", "## What speaks for it", "## Sources", "## Prove it here", "torchwhy confirm backward-twice"):
        assert heading in done.stdout
    assert done.stderr == ""


def test_standard_input(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy(stdin=f'epoch 1\nTraceback (most recent call last):\n  File "train.py", line 3, in <module>\n    loss.backward()\n{TWICE}\n')
    assert done.returncode == 0 and "**backward-twice**" in done.stdout


def test_a_file(torchwhy, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "log.txt").write_text(TWICE)
    assert "**backward-twice**" in torchwhy("-f", "log.txt").stdout
    assert "**backward-twice**" in torchwhy("--file", str(tmp_path / "log.txt"), "--brief").stdout


def test_json_follows_the_documented_schema(torchwhy) -> None:  # type: ignore[no-untyped-def]
    schema = json.loads((ROOT / "assistant" / "answer.schema.json").read_text("utf-8"))
    for text in (TWICE, "npm ERR! missing script: build", "显存一直涨怎么办"):
        data = json.loads(torchwhy("--json", text).stdout)
        jsonschema.validate(data, schema)
    assert data["lang"] == "zh"


def test_languages(torchwhy) -> None:  # type: ignore[no-untyped-def]
    assert "## 原因" in torchwhy("--lang", "zh", TWICE).stdout
    assert "## 原因" in torchwhy(f"训练第二步就报错：{TWICE}").stdout
    assert "## Why" in torchwhy("--lang", "en", f"训练第二步就报错：{TWICE}").stdout
    assert "## 原因" in torchwhy(TWICE, env={"LANG": "zh_CN.UTF-8", "LC_ALL": "zh_CN.UTF-8"}).stdout


def test_nothing_fits(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy("npm ERR! missing script: build")
    assert done.returncode == 1
    assert "not something I know" in done.stdout


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        ([], "", "the text is empty"),
        ([], "   \n \n", "the text is empty"),
        (["-f", "no-such-file"], "", "no-such-file: cannot be read (No such file or directory)"),
        ([], bytes(range(256)) * 50, "binary file"),
        (["--lang", "fr", "x"], "", "invalid choice"),
        (["show", "no-such-entry"], "", "no-such-entry: no such entry"),
        (["show", "backward-twise"], "", "did you mean backward-twice"),
        (["confirm"], "", "give an entry's ID"),
        (["confirm", "backward-twice", "--python", "/no/such"], "", "no such program"),
        (["--kb", "/no/such/folder", "x"], "", "no such knowledge base folder"),
        (["--model", "/no/such/model", "index"], "", ""),
        (["eval", "no-such-file"], "", "cannot be read"),
        (["list", "--category", "nope"], "", "categories: "),
        (["-f", "x", "and", "words"], "", "not both"),
    ],
)
def test_bad_input_gets_one_clear_line(torchwhy, words: list[str], stdin: str | bytes, said: str) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy(*words, stdin=stdin)
    if not said:
        return
    assert done.returncode == 2
    assert done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1 and done.stderr.startswith("torchwhy: ")


def test_odd_text_gets_an_answer_and_harms_nothing(torchwhy) -> None:  # type: ignore[no-untyped-def]
    hostile = f"[/red] [bold] \x1b[31m{TWICE}\x1b[0m \x1b]0;owned\x07 \x1b]8;;http://x\x07 \u202eevil \udcff".encode("utf-8", "surrogatepass")
    done = torchwhy(stdin=hostile)
    assert done.returncode == 0 and "**backward-twice**" in done.stdout
    assert not {"\x1b", "\x07", "\u202e"} & set(done.stdout)


def test_a_word_is_a_command_only_when_the_whole_line_is_one() -> None:
    assert parse_line(["index"])[0] == "index"
    assert parse_line(["index", "out", "of", "range", "in", "self"])[0] == "ask"
    assert parse_line(["show", "me", "how", "to", "clip"])[0] == "ask"
    assert parse_line(["list", "index", "out", "of", "range"])[0] == "ask"
    assert parse_line(["confirm", "some-id"])[0] == "confirm"
    assert parse_line(["RuntimeError: x"])[0] == "ask"
    with pytest.raises(UsageError):
        parse_line(["show"])
    with pytest.raises(UsageError):
        parse_line(["show", "x", "--no-such-option"])


def test_help_and_version(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy("--help")
    assert done.returncode == 0
    for name in ("confirm", "show", "list", "index", "eval", "kb"):
        assert f"\n  {name} " in done.stdout
    assert torchwhy("--version").stdout.startswith("torchwhy 0.")


def test_a_broken_pipe_is_quiet(tmp_path: Path) -> None:
    command = f"{sys.executable} -m assistant list | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == 0 and done.stderr == "" and done.stdout.count("\n") == 1


def test_list_and_show_are_plain_in_a_pipe(torchwhy) -> None:  # type: ignore[no-untyped-def]
    rows = torchwhy("list").stdout.splitlines()
    assert len(rows) >= 27 and all(row.count("\t") == 3 for row in rows)
    data = json.loads(torchwhy("list", "--json").stdout)
    assert data["total"] == len(rows) == sum(data["counts"]["category"].values()) == sum(data["counts"]["kind"].values())
    assert torchwhy("list", "--category", "autograd", "--kind", "silent").stdout.count("\tautograd\tsilent\t") >= 1
    page = torchwhy("show", "backward-twice").stdout
    assert "\x1b" not in page and page.startswith("# ") and "backward-twice" in page
    assert json.loads(torchwhy("show", "backward-twice", "--json").stdout)["id"] == "backward-twice"


def test_a_terminal_gets_colour_and_no_color_none(tmp_path: Path) -> None:
    """On a pseudo-terminal the answer is drawn; NO_COLOR leaves the drawing and drops the colours."""
    import pty

    def shown(**env: str) -> str:
        parent, child = pty.openpty()
        base = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        process = subprocess.Popen(
            [sys.executable, "-m", "assistant", TWICE], stdout=child, stderr=child, stdin=subprocess.DEVNULL, cwd=tmp_path,
            env={**base, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": "80", **env},
        )  # fmt: skip
        os.close(child)
        parts = []
        while True:
            try:
                part = os.read(parent, 65536)
            except OSError:
                break
            if not part:
                break
            parts.append(part)
        process.wait()
        os.close(parent)
        return b"".join(parts).decode()

    coloured, plain = shown(), shown(NO_COLOR="1")
    assert "backward-twice" in coloured and "\x1b[" in coloured
    assert "backward-twice" in plain and "\x1b[3" not in plain.replace("\x1b[3m", "")


def test_confirm_runs_both_legs_and_compares(torchwhy, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "paste.txt").write_text(TWICE)
    done = torchwhy("confirm", "backward-twice", "--paste", "paste.txt")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# confirmed:" in done.stdout and "this machine printed" in done.stdout and "you pasted" in done.stdout
    assert "running the broken leg" in done.stderr and "running the fixed leg" in done.stderr
    data = json.loads(torchwhy("confirm", "backward-twice", "--json").stdout)
    assert (data["verdict"], data["exit_status"]) == ("reproduces-here", 0)
    assert [leg["shows"] for leg in data["legs"]] == ["shown", "clean"]


def test_answer_and_proof_in_one_go(torchwhy) -> None:  # type: ignore[no-untyped-def]
    done = torchwhy(TWICE, "--confirm", "--json")
    data = json.loads(done.stdout)
    assert (data["match"]["id"], data["confirmation"]["verdict"], done.returncode) == ("backward-twice", "confirmed", 0)


def test_a_teams_own_knowledge_base(torchwhy, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    from .conftest import KB

    text = (KB / "_template" / "pitfall.yaml").read_text("utf-8").replace("Sizes of tensors must match", "Flux capacitors must match")
    text = text.replace("invalid argument 0: Flux", "invalid argument 0: Flux")
    write_entry(tmp_path / "team", "flux-capacitor", yaml=text)
    paste = "RuntimeError: Flux capacitors must match except in dimension 1. Expected size 3 but got size 4 for tensor number 2 in the list."
    assert "**flux-capacitor**" in torchwhy("--kb", str(tmp_path / "team"), paste).stdout
    assert "**flux-capacitor**" in torchwhy(paste, env={"TORCHWHY_KB": str(tmp_path / "team")}).stdout
    assert "flux-capacitor\t" in torchwhy("list", "--kb", str(tmp_path / "team")).stdout
    assert torchwhy("kb", "check", str(tmp_path / "team"), "--only", "flux-capacitor").returncode == 0


def test_a_broken_entry_is_skipped_with_a_line(torchwhy, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    write_entry(tmp_path / "team", "broken-one", yaml="title: {en: x}\nkind: mystery\n")
    done = torchwhy("--kb", str(tmp_path / "team"), TWICE)
    assert done.returncode == 0 and "**backward-twice**" in done.stdout
    assert "skipped a broken entry: shapes/broken-one/pitfall.yaml" in done.stderr
    checked = torchwhy("kb", "check", str(tmp_path / "team"), "--only", "broken-one")
    assert checked.returncode == 1
    for part in ("title: found", "kind: found 'mystery'; wanted one of error, warning, silent", "effect: found"):
        assert part in checked.stdout
