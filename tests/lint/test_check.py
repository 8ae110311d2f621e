"""`torchwhy check`: what is read, what is left alone, what is printed."""

from __future__ import annotations

import ast
import importlib.util
import json
import marshal
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest

import torchwhy
from tests.conftest import ROOT
from torchwhy.cli.main import main
from torchwhy.errors import UsageError
from torchwhy.knowledge.script_hashes import file_hash
from torchwhy.lint import check
from torchwhy.lint.legs import leg_module
from torchwhy.lint.rule import BrokenRuleError, load_rule
from torchwhy.source.project import parse
from torchwhy.text.python_source import parse_piece

BROKEN = """\
import torch
import math

loss = torch.rand(1)
if loss.item() == math.nan:
    print("nan")
"""
LINE = 5


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(BROKEN)
    return tmp_path


def run_python(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """A process of its own."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "assistant")}
    return subprocess.run(
        [sys.executable, *words], env=env, capture_output=True, text=True, timeout=60, check=False, **options
    )


def run_check(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return run_python("-m", "torchwhy", "check", *words, **options)


def committed(here: Path) -> None:
    who = ("-c", "user.email=me@example.com", "-c", "user.name=me")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "one")):
        subprocess.run(["git", *words], cwd=here, check=True)


def findings(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, object]]:
    main(["check", "--format", "json", *words])
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)["findings"]
    return found


def test_programs_without_a_mistake_have_no_finding(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that the watch says nothing of: a teacher in training mode and a generator that is sampled in it too."""
    assert main(["check", "--lang", "en", str(ROOT / "tests" / "watch" / "correct")]) == 0, (
        capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("trained", "parameters"),
    [
        ("nn.DataParallel(model)", "trained.parameters()"),
        ("model", "[*trained.parameters(), *head.parameters()]"),
    ],
    ids=["wrapped", "two parts"],
)
def test_a_model_that_is_never_evaluated_in_eval_mode(
    here: Path, capsys: pytest.CaptureFixture[str], trained: str, parameters: str
) -> None:
    (here / "train.py").write_text(
        "import torch\nfrom torch import nn\nmodel = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))\n"
        f"head = nn.Linear(4, 2)\ntrained = {trained}\nopt = torch.optim.SGD({parameters}, 0.1)\n"
        "for x, y in [(torch.ones(2, 4), torch.zeros(2, 2))]:\n    loss = (head(trained(x)) - y).square().mean()\n"
        "    opt.zero_grad()\n    loss.backward()\n    opt.step()\nwith torch.no_grad():\n    print(model(x).argmax(1))\n"
    )
    (found,) = findings(capsys, "train.py")
    assert (found["id"], found["line"]) == ("train-eval-mode", 13)


def test_a_finding_and_its_status(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--lang", "en", "train.py"]) == 1
    out = capsys.readouterr().out
    assert "train.py:5:4: wrong: `loss.item() == math.nan`" in out
    assert "    if loss.item() == math.nan:\n       ^^^^" in out
    assert "torchwhy show nan-compare" in out


def test_nothing_found(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "train.py").write_text("import torch\n")
    assert main(["check", "--lang", "en", "."]) == 0
    assert capsys.readouterr().out == "nothing found in 1 file\n"


def test_json_names_every_field(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (told,) = torchwhy.check("train.py")
    assert (told.id, told.line, told.sure) == ("nan-compare", LINE, "wrong")
    (found,) = findings(capsys, "train.py")
    assert {**found, "message": "", "fix": ""} == {
        "id": "nan-compare", "path": "train.py", "line": LINE, "column": 4, "sure": "wrong", "message": "", "fix": "",
        "page": None,
    }  # fmt: skip


def test_sarif_and_github(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "sarif", "train.py"]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == LINE
    assert main(["check", "--format", "github", "train.py"]) == 1
    assert capsys.readouterr().out.startswith("::error file=train.py,line=5,col=4,title=nan-compare::")


@pytest.mark.parametrize(
    ("ids", "left"),
    [("[nan-compare]", 0), ("", 0), ("[zero-grad-forgotten, nan-compare]", 0), ("[freeze-layers]", 1)],
)
def test_an_ignored_line(here: Path, capsys: pytest.CaptureFixture[str], ids: str, left: int) -> None:
    (here / "train.py").write_text(BROKEN.replace("nan:\n", f"nan:  # torchwhy: ignore{ids} a sentinel\n"))
    assert len(findings(capsys, "train.py")) == left


def test_a_comment_for_an_id_that_is_none_is_remarked_on(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "train.py").write_text(BROKEN.replace("nan:\n", "nan:  # torchwhy: ignore[nan-compar] x\n"))
    assert main(["check", "train.py"]) == 1
    said = capsys.readouterr()
    assert "nan-compare" in said.out
    assert said.err.count("train.py: ignore[nan-compar] names no rule; did you mean nan-compare?") == 1


def test_names_without_end_in_a_comment_are_not_all_compared(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ",".join(f"no-rule-{number}" for number in range(60_000))
    (here / "train.py").write_text(f"{BROKEN}# torchwhy: ignore[{names}]\n")
    started = time.process_time()
    assert main(["check", "train.py"]) == 1
    assert time.process_time() - started < 3
    said = capsys.readouterr().err
    assert 1 < said.count("names no rule") < 100
    assert "59,990 more names" in said


def test_the_settings_of_a_project(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tomllib")
    (here / "old").mkdir()
    (here / "old" / "a.py").write_text(BROKEN)
    (here / "pyproject.toml").write_text('[tool.torchwhy]\nexclude = ["old"]\n')
    assert [each["path"] for each in findings(capsys, ".")] == ["./train.py"]
    (here / "pyproject.toml").write_text('[tool.torchwhy]\nignore = ["nan-compare"]\n')
    assert findings(capsys, ".") == []
    (here / "pyproject.toml").write_text('[tool.torchwhy]\nignore = "nan-compare"\n')
    assert main(["check", "."]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_what_is_only_worth_a_look(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "train.py").write_text('import torch\nw = torch.load("w.pt")\n')
    assert findings(capsys, "train.py") == []
    assert [each["sure"] for each in findings(capsys, "--strict", "train.py")] == ["look"]


def test_a_file_that_does_not_parse_is_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "bad.py").write_text("import torch\ndef f(:\n")
    assert main(["check", "."]) == 1
    said = capsys.readouterr()
    assert "nan-compare" in said.out
    assert said.err.count("\n") == 1 and "bad.py:2: not checked" in said.err


def test_a_missing_path(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "none.py"]) == 2
    assert capsys.readouterr().err == "torchwhy: none.py: no such file or folder\n"
    with pytest.raises(UsageError):
        torchwhy.check("none.py")


def test_a_notebook_is_counted_by_cells(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [
        {"cell_type": "code", "source": ["%matplotlib inline\n", "import torch\n", "import math"]},
        {"cell_type": "markdown", "source": ["# title"]},
        {"cell_type": "code", "source": ["!nvidia-smi\n", "if torch.rand(1) == math.nan:\n", "    pass"]},
    ]
    (here / "a.ipynb").write_text(json.dumps({"cells": cells}))
    (found,) = findings(capsys, "a.ipynb")
    assert (found["cell"], found["line"]) == (3, 2)


def test_standard_input(here: Path) -> None:
    done = run_check("--json", "-", input=BROKEN)
    assert done.returncode == 1
    assert json.loads(done.stdout)["findings"][0]["path"] == "-"


def test_only_changed_lines(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    committed(here)
    assert findings(capsys, "--diff", "HEAD", ".") == []
    (here / "train.py").write_text(BROKEN + "if loss == math.nan:\n    pass\n")
    assert [each["line"] for each in findings(capsys, "--diff", "HEAD", ".")] == [LINE + 2]
    assert main(["check", "--diff", "no-such-revision", "."]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_fix_is_written_and_then_nothing_is_found(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "train.py").write_text(
        "import torch\n\nx = torch.rand(2)\nx.cuda()\nlayer = torch.nn.Linear(2, 2)\nlayer.requires_grad = False\n"
    )
    assert main(["check", "--fix", "train.py"]) == 0
    text = (here / "train.py").read_text()
    assert "x = x.cuda()\n" in text and "layer.requires_grad_(False)\n" in text
    assert findings(capsys.readouterr() and capsys, "train.py") == []


def test_a_fix_changes_nothing_behind_a_link(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "other.py"
    outside.write_text("import torch\n\nx = torch.rand(2)\nx.cuda()\n")
    (here / "link.py").symlink_to(outside)
    assert main(["check", "--fix", "."]) == 1
    assert "x = x.cuda()" not in outside.read_text()
    assert (here / "link.py").is_symlink()


def own_rule(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the rule of a team's knowledge base is to lie."""
    monkeypatch.setenv("TORCHWHY_DATA", str(here / "data"))
    rule = here / "kb" / "team" / "no-print" / "lint.py"
    rule.parent.mkdir(parents=True)
    return rule


def test_a_foreign_rule_runs_only_for_who_wrote_it(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = own_rule(here, monkeypatch)
    both = '{"en": "print", "zh": "print"}'
    rule.write_text(
        "from torchwhy.lint.rule import wrong\n"
        f"SAYS = {both}\nFIX = {both}\nIN_REPRO = None\n"
        "def find(module):\n    for call in module.calls('builtins.print'):\n        yield wrong(call)\n"
    )
    for _ in range(2):  # what was said once is not remembered
        assert len(findings(capsys, "--kb", "kb", "train.py")) == 1
        main(["check", "--kb", "kb", "train.py"])
        said = capsys.readouterr().err
        assert f"{rule} did not come with torchwhy" in said and "--mine" in said
        assert len(findings(capsys, "--kb", "kb", "--mine", "train.py")) == 2
    assert main(["kb", "check", "--kb", "kb", "kb"]) == 1
    assert (
        "lint.py: found a lint.py that did not come with torchwhy; wanted --mine" in capsys.readouterr().out
    )
    main(["kb", "check", "--kb", "kb", "kb", "--mine"])
    assert "did not come with torchwhy" not in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("mine", [[], ["--mine"]])
def test_a_rule_that_cannot_be_read_costs_no_other(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, mine: list[str]
) -> None:
    rule = own_rule(here, monkeypatch)
    os.mkfifo(rule)
    assert len(findings(capsys, "--kb", "kb", *mine, "train.py")) == 1
    main(["check", "--kb", "kb", *mine, "train.py"])
    assert "lint.py is left out: " in capsys.readouterr().err
    assert main(["kb", "check", "--kb", "kb"]) == 1
    assert "lint.py: found a FIFO" in capsys.readouterr().out


def test_only_what_was_read_of_a_rule_runs(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader of lint.py sees neither a compiled file beside it nor what a comment says in UTF-7."""
    monkeypatch.setenv("TORCHWHY_DATA", str(here / "data"))
    planted = f"open({str(here / 'ran')!r}, 'w')\n"
    names = ("harmless", "coded", "returned")
    harmless, coded, returned = (here / "kb" / "team" / name / "lint.py" for name in names)
    for path in (harmless, coded, returned):
        path.parent.mkdir(parents=True)
    harmless.write_text("SAYS = FIX = None\n")
    beside = Path(importlib.util.cache_from_source(str(harmless)))
    beside.parent.mkdir()
    unchecked = (1).to_bytes(4, "little") + bytes(8)  # the flags of a hash that nobody compares, the hash
    beside.write_bytes(importlib.util.MAGIC_NUMBER + unchecked + marshal.dumps(compile(planted, "", "exec")))
    coded.write_bytes(b"# coding: utf-7\n# fine +AAo-" + planted.encode())
    # a line that ends as Python ends lines, and not every reader
    returned.write_bytes(b"\r# coding: unicode_escape\r# fine \\x0a" + planted.encode())
    main(["check", "--kb", "kb", "--mine", "train.py"])
    assert not (here / "ran").exists()
    said = capsys.readouterr().err
    assert "utf-7" in said and "unicode_escape" in said


def test_a_rule_that_was_changed_meanwhile_does_not_run(here: Path) -> None:
    rule = here / "lint.py"
    rule.write_text("SAYS = FIX = None\n")
    read = file_hash(rule)
    rule.write_text(f"open({str(here / 'ran')!r}, 'w')\n")
    with pytest.raises(BrokenRuleError, match="changed meanwhile"):
        load_rule(rule, read)
    assert not (here / "ran").exists()


def test_a_repository_runs_no_command_of_its_own(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that was unpacked brings a .git/config along, whose commands git would run for --diff."""
    for name, value in (
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "user.name"),
        ("GIT_CONFIG_VALUE_0", "me"),
    ):
        monkeypatch.setenv(name, value)
    (here / ".gitattributes").write_text("*.py filter=evil filter=e=vil\n")
    committed(here)
    planted = f"touch {here / 'ran'}; cat"
    for name in (
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.e=vil.process",
        "diff.external",
        "core.pager",
    ):
        subprocess.run(["git", "config", name, planted], cwd=here, check=True)
    hook = here / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\n{planted}\n")
    hook.chmod(0o755)
    (here / "train.py").write_text(BROKEN + "\nx = 1\n" + BROKEN)
    assert [each["line"] for each in findings(capsys, "--diff", "HEAD", ".")] == [LINE + 8]
    assert not (here / "ran").exists()


def test_a_helper_in_another_file_is_followed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "steps.py").write_text(
        "def step(opt, loss):\n    opt.zero_grad()\n    loss.backward()\n    opt.step()\n"
    )
    loop = "import torch\nfrom steps import step\nnet = torch.nn.Linear(2, 2)\nopt = torch.optim.SGD(net.parameters(), 0.1)\nfor x in [1]:\n    step(opt, net(torch.rand(3, 2)).sum())\n"
    (here / "train.py").write_text(loop)
    assert findings(capsys, ".") == []
    (here / "steps.py").write_text("def step(opt, loss):\n    loss.backward()\n    opt.step()\n")
    assert {each["id"] for each in findings(capsys, ".")} == {"zero-grad-forgotten"}


def test_a_rule_that_fails_is_left_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from torchwhy.lint.check import findings_of
    from torchwhy.lint.rule import Rule
    from torchwhy.source.project import parse

    def find(module: object) -> list[object]:
        raise KeyError("x")

    words = {"en": "a", "zh": "b"}
    said: list[str] = []
    rule = Rule("bad", here, find, words, words, None)  # type: ignore[arg-type]
    assert findings_of(parse("a.py", BROKEN), [rule], say=said.append) == []
    assert len(said) == 1 and "bad failed on a.py" in said[0]


def test_a_leg_is_the_script_with_its_flag_put_in() -> None:
    text = "def run(clear, act):\n    if clear:\n        a()\n    else:\n        act(1)\n\n\ndef broken():\n    run(False, lambda x: b(x))\n\n\ndef fixed():\n    run(True, print)\n"
    import ast

    assert "b(1)" in ast.unparse(leg_module("r.py", text, "broken").tree)
    assert "b(1)" not in ast.unparse(leg_module("r.py", text, "fixed").tree)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("imported", [True, False])
def test_a_pipe_or_a_device_holds_nothing_up(here: Path, imported: bool) -> None:
    os.mkfifo(here / "helper.py")
    (here / "endless.py").symlink_to("/dev/zero")
    if imported:
        (here / "train.py").write_text("from helper import f\nfrom endless import g\nf()\ng()\n" + BROKEN)
    done = run_check("--format", "json", ".", cwd=here)
    assert [Path(each["path"]).name for each in json.loads(done.stdout)["findings"]] == ["train.py"]
    assert "helper.py: not checked" in done.stderr and "endless.py: not checked" in done.stderr


def test_no_name_of_a_file_begins_a_line_of_its_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        (here / "a\n::error::b.py").write_text("import torch\nx = (\n")
    except OSError:
        pytest.skip("no such name here")
    main(["check", "--format", "github", "."])
    heard = capsys.readouterr()
    assert "cannot parse it" in heard.err
    assert not [line for line in heard.err.splitlines() if line.startswith("::error::b")]


HOSTILE_CODINGS = ("hex", "rot13", "punycode", "idna")


@pytest.mark.parametrize("coding", HOSTILE_CODINGS)
def test_no_encoding_of_one_file_costs_the_others(
    here: Path, capsys: pytest.CaptureFixture[str], coding: str
) -> None:
    (here / "a.py").write_text(f"# coding: {coding}\nimport torch\n")
    assert main(["check", "--format", "json", "."]) == 1
    heard = capsys.readouterr()
    assert [each["line"] for each in json.loads(heard.out)["findings"]] == [LINE]
    assert "a.py: not checked" in heard.err


def test_blank_lines_of_a_notebook_take_linear_time(here: Path) -> None:
    cell = {"cell_type": "code", "source": BROKEN + "\n" * 300_000 + " " * 300_000 + "x"}
    (here / "n.ipynb").write_text(json.dumps({"cells": [cell]}))
    # the square would take minutes; the last line is indented, and read around
    assert run_check("n.ipynb", cwd=here).returncode == 1


def test_a_notebook_is_parsed_once_for_all_findings(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from torchwhy.lint import sources

    cell = {"cell_type": "code", "source": BROKEN}
    (here / "n.ipynb").write_text(json.dumps({"cells": [cell, {"cell_type": "markdown"}, cell, cell]}))
    reads: list[str] = []
    read = sources.cells
    monkeypatch.setattr(sources, "cells", lambda path: (reads.append(path), read(path))[1])
    found = findings(capsys, "n.ipynb")
    assert [(each["cell"], each["line"]) for each in found] == [(1, LINE), (3, LINE), (4, LINE)]
    assert len(reads) == 2


@pytest.mark.skipif(sys.version_info < (3, 11), reason="no tomllib")
@pytest.mark.skipif(not os.path.exists("/proc/self/pagemap"), reason="a file of Linux's kernel")
@pytest.mark.parametrize("name", ["endless.py", "endless.ipynb"])
def test_a_file_of_the_kernel_without_end_fills_no_memory(here: Path, name: str) -> None:
    """It says that it holds 0 bytes, and gives hundreds of gigabytes."""
    (here / name).symlink_to("/proc/self/pagemap")
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30));"
        "from torchwhy.cli.main import main; main(['check', '--format', 'json', '.'])"
    )
    done = run_python("-c", code, cwd=here)
    assert f"{name}: not checked" in done.stderr
    assert [Path(each["path"]).name for each in json.loads(done.stdout)["findings"]] == ["train.py"]


@pytest.mark.skipif(os.name != "posix", reason="a file that is opened without waiting")
def test_a_file_that_would_be_waited_for_is_left_out(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As /proc/kmsg, which is a plain file to `stat`: a pipe that says so too stands for it."""
    os.mkfifo(here / "waits.py")
    writer = os.open(here / "waits.py", os.O_RDWR)
    monkeypatch.setattr(stat, "S_ISREG", lambda mode: True)
    try:
        assert len(findings(capsys, ".")) == 1
    finally:
        os.close(writer)


@pytest.mark.parametrize(
    "text",
    [
        "[tool.torchwhy]\nx = " + "[" * 100_000,
        "[tool]\ntorchwhy = [1]\n",
        "a." * 100_000 + "b = 1\n",
        "# " + "x" * (1 << 20),
        f"[tool.torchwhy]\nexclude = {['*a*b*'] * 60_000}\n",
    ],
    ids=["deep", "no table", "dots", "long", "patterns"],
)
def test_a_hostile_project_file_is_one_line(here: Path, text: str) -> None:
    (here / "pyproject.toml").write_text(text)
    done = run_check(".", cwd=here)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "pyproject.toml: " in done.stderr


def test_of_what_git_says_the_reason_is_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    committed(here)
    subprocess.run(["git", "config", "diff.e.xfuncname", "("], cwd=here, check=True)
    (here / ".gitattributes").write_text("*.py diff=e\nx [attr]y\n")
    (here / "train.py").write_text(BROKEN + "x = 1\n")
    assert main(["check", "--diff", "HEAD", "."]) == 2
    said = capsys.readouterr().err
    assert "--diff HEAD: fatal: " in said and "[attr]" not in said


@pytest.mark.skipif(os.name != "posix", reason="pipes with a name")
@pytest.mark.parametrize("setting", ["", "diff.orderFile", "core.attributesFile", "include.path"])
def test_no_pipe_in_a_repository_holds_git_up(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    committed(here)
    pipe = here / ("pipe" if setting else ".gitattributes")
    os.mkfifo(pipe)
    if setting:
        subprocess.run(["git", "config", setting, str(pipe)], cwd=here, check=True)
    (here / "train.py").write_text(BROKEN + "x = 1\n")
    monkeypatch.setattr("torchwhy.lint.sources.GIT_TIMEOUT_S", 1.0)
    assert main(["check", "--diff", "HEAD", "."]) == 2
    assert "did not end within 1 s" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="bounds of another process")
@pytest.mark.parametrize("setting", ["diff.orderFile", "core.attributesFile", "alternates"])
def test_no_file_without_end_in_a_repository_fills_memory(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    """git reads what a repository names to its end: /dev/zero took all memory of the machine."""
    committed(here)
    if setting == "alternates":
        (here / ".git/objects/info/alternates").symlink_to("/dev/zero")
    else:
        subprocess.run(["git", "config", setting, "/dev/zero"], cwd=here, check=True)
    (here / "train.py").write_text(BROKEN + "x = 1\n")
    monkeypatch.setattr("torchwhy.lint.sources.GIT_MEMORY_BYTES", 64 << 20)
    monkeypatch.setattr("torchwhy.lint.sources.GIT_TIMEOUT_S", 5.0)
    assert main(["check", "--diff", "HEAD", "."]) == 2
    assert "Out of memory" in capsys.readouterr().err


def test_what_a_changed_file_says_is_no_head_of_another(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor does a setting for the names in a diff, or a name beyond ASCII, hide a finding."""
    (here / '学习 "a".py').write_text("x = 1\n")
    committed(here)
    subprocess.run(["git", "config", "diff.noprefix", "true"], cwd=here, check=True)
    (here / "train.py").write_text(BROKEN + '"""\n++ b/other.py\n@@ -1 +1 @@\n"""\n\nloss == math.nan\n')
    (here / '学习 "a".py').write_text("x = 1\n" + BROKEN)
    found = findings(capsys, "--diff", "HEAD", ".")
    assert sorted((str(each["path"]), each["line"]) for each in found) == [
        ("./train.py", LINE + 7),
        ('./学习 "a".py', LINE + 1),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_large_diff_takes_little_memory(here: Path) -> None:
    (here / "data.txt").write_text("x\n" * (32 << 20))
    (here / "long.py").write_text("#" * (64 << 20))
    committed(here)
    (here / "data.txt").unlink()
    (here / "long.py").write_text("\n")
    code = (
        "from torchwhy.lint.sources import changed\nchanged([], 'HEAD')\n"
        "print(*(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    done = run_python("-c", code, cwd=here)
    assert int(done.stdout) < 100_000  # KiB


@pytest.mark.parametrize(
    "content",
    [
        b"# coding: unicode_escape\n{}s = '\\\\u4e2d'\n",
        b"{}s = 1\r\nt = 2\n",
    ],
)
def test_a_fix_changes_nothing_else(here: Path, content: bytes) -> None:
    """An encoding that writes line ends in another way would make one comment of the whole file."""
    program = b"import torch\nm = torch.nn.Linear(2, 2)\nm.register_forward_hook(f)\nm.forward(x)\n"
    content = content.replace(b"{}", program)
    (here / "train.py").write_bytes(content)
    assert main(["check", "--fix", "train.py"]) == 1
    assert (here / "train.py").read_bytes() == content


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_fix_keeps_whose_file_it_is(here: Path) -> None:
    """As root, a file of another user's that said of itself to run as its owner ran as root."""
    (here / "train.py").write_text("import torch\nt = torch.zeros(2)\nt.cuda()\n")
    os.chown(here / "train.py", 65534, 65533)
    (here / "train.py").chmod(0o6755)
    assert main(["check", "--fix", "train.py"]) == 0
    found = (here / "train.py").stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (65534, 65533, 0o755)


REPEATED = {
    "loops": "for i in r:\n    opt.zero_grad()\n    loss = m(x)\n    loss.backward()\n    opt.step()\n",
    "hooks": "m = nn.DataParallel(m)\nm.register_forward_hook(f)\ny = m.forward(x)\n",
    "freezing": "for p in m.parameters():\n    p.requires_grad = False\n",
    "calls": "def f(x):\n    loss = m(x)\n    loss.backward()\nf(f(x))\n",
    "evaluations": "def test(x):\n    m.eval()\n    for b in x:\n        m(b)\n",
}


@pytest.mark.parametrize("name", REPEATED)
def test_a_file_that_repeats_itself_is_no_square_of_the_time(here: Path, name: str) -> None:
    """4,000 times took a minute and more, and half as many a quarter of that; a hundred times took a glance."""
    head = "import torch\nfrom torch import nn\nm = nn.Linear(1, 1)\nopt = torch.optim.SGD(m.parameters())\n"
    (here / "train.py").write_text(head + REPEATED[name] * 2000)
    (here / "other.py").write_text(BROKEN)
    start = time.process_time()
    assert main(["check", "--strict", "."]) == 1
    assert time.process_time() - start < 7.5


@pytest.mark.skipif(not hasattr(signal, "SIGVTALRM"), reason="no clock of the processor here")
@pytest.mark.parametrize(
    "text",
    [
        "with " + ", ".join(f"a{each}()" for each in range(20_000)) + ":\n    m(x)\n",
        "for b in r:\n"
        + "    opt.zero_grad()\n    loss = m(b)\n    loss.backward()\n    opt.step()\n" * 2000,
        "".join(f"o{at} = torch.optim.Adam(m.parameters())\no{at}.step()\n" for at in range(1000)),
    ],
    ids=["contexts", "one loop", "optimizers"],
)
@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # the first time may end in a callback
def test_a_rule_that_takes_too_long_is_left_out_there(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """They took a minute to hours."""
    monkeypatch.setattr(check, "RULE_S", 0.5)
    monkeypatch.setattr(check, "FILE_S", 3.0)
    (here / "long.py").write_text("import torch\nfrom torch import nn\nm = nn.Linear(1, 1)\n" + text)
    start = time.process_time()
    assert main(["check", "--strict", "."]) == 1
    assert time.process_time() - start < 15
    said = capsys.readouterr()
    assert "it would take too long" in said.err
    assert "train.py:5:4" in said.out
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGVTALRM) is signal.SIG_DFL


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the parser of later releases is linear")
@pytest.mark.parametrize("quote", ['"', '"""'])
def test_an_f_string_without_end_is_not_parsed(
    here: Path, capsys: pytest.CaptureFixture[str], quote: str
) -> None:
    (here / "train.py").write_text(f"import torch\nx = f{quote}{'{x}' * 200_000}{quote}\n")
    start = time.process_time()
    main(["check", "."])
    assert time.process_time() - start < 3
    assert "f-string" in capsys.readouterr().err


def test_folders_in_folders_without_end_cost_no_finding(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    deep = os.open(here, os.O_RDONLY)
    for _ in range(1_500):  # a path of so many letters is opened step by step
        os.mkdir("d", dir_fd=deep)
        inner = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = inner
    os.close(deep)
    try:
        assert len(findings(capsys, ".")) == 1
    finally:
        subprocess.run(["rm", "-rf", str(here / "d")], check=True)  # shutil recurses


@pytest.mark.skipif(os.name != "posix", reason="names that POSIX allows")
def test_any_name_of_a_file_is_an_address_in_sarif(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A reader refuses a whole log for one address that is none, and `#` would cut a name."""
    names = [
        "a b.py",
        "a#b.py",
        "a%20b.py",
        "c:d.py",
        "[x].py",
        "é.py",
        "a\\b.py",
        "a\nb.py",
        os.fsdecode(b"\xff.py"),
    ]
    for name in names:
        (here / name).write_text(BROKEN)
    assert main(["check", "--format", "sarif", *names]) == 1
    results = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    uris = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results}
    assert all(re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri) for uri in uris), uris
    assert {unquote_to_bytes(uri) for uri in uris} == {os.fsencode(name) for name in names}


@pytest.mark.parametrize("form", ["github", "sarif", "json", "text"])
def test_no_name_of_a_file_acts_in_any_format(
    here: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    (here / "a\x1b[2J\u202e\u200b\x9b.py").write_text(BROKEN)
    assert main(["check", "--format", form, "."]) == 1
    assert not {"\x1b", "\u202e", "\u200b", "\x9b"} & set(capsys.readouterr().out)


def test_files_of_one_name_in_many_folders_are_no_square_of_the_time(here: Path) -> None:
    """A thousand took half a minute."""
    text = "import torch\nimport utils\nmodel = torch.nn.Linear(2, 3)\n"
    text += (
        "opt = torch.optim.SGD(model.parameters(), lr=0.1)\nfor x, y in utils.load():\n    opt.zero_grad()\n"
    )
    text += "    loss = torch.nn.functional.mse_loss(utils.step(model, x), y)\n    loss.backward()\n    opt.step()\n"
    for at in range(1300):
        (here / f"s{at}").mkdir()
        (here / f"s{at}" / "utils.py").write_text("def load(): return []\n")
        (here / f"s{at}" / "train.py").write_text(text + "    utils.save(model)\n")
    start = time.process_time()
    assert main(["check", "."]) == 1
    assert time.process_time() - start < 20


def test_more_code_than_anybody_writes_is_not_parsed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Four mebibytes took 4 GB."""
    (here / "made.py").write_text("import torch\n" + "a\n" * (1 << 20))
    assert main(["check", "."]) == 1
    assert "made.py: not checked, more than 1,048,576 characters of code" in capsys.readouterr().err


PASTED = """\
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.NLLLoss()(torch.exp(F.log_softmax(model(x), dim=1)), y)
            loss.backward()
            optimizer.step()
        print("epoch done")
    if best:
Traceback (most recent call last):
  File "train.py", line 3, in <module>
"""


def test_a_pasted_piece_is_read_around_what_is_no_python(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "piece.py").write_text(PASTED)
    (only,) = findings(capsys, "piece.py")
    assert (only["id"], only["line"], only["column"]) == ("nll-vs-cross-entropy", 3, 33)


@pytest.mark.parametrize(
    ("piece", "lines"),
    [
        ("a = 1\n        b = 2\n    c = 3\n", [1, 2, 3]),
        ("for x in y:\n    a = 1\n  File oh no\nb = 2\n", [1, 4]),
        ("    try:\n        a = 1\nb = 2\n", [1, 3]),
        ("a = 1\nb = call(\n", [1]),
        (">>> a = 1\nb = 2\n", [1, 2]),
    ],
)
def test_a_piece_keeps_the_lines_of_its_statements(piece: str, lines: list[int]) -> None:
    tree, error = parse_piece(piece)
    assert [each.lineno for each in tree.body] == lines and error is not None


def test_a_name_that_the_file_binds_is_no_convention() -> None:
    piece = "F = 2\n\n\ndef f(nn):\n    return nn.Linear(F.x), np.x, optim.SGD\n"
    module = parse("train.py", piece)
    names = [module.name(each) for each in module.of(ast.Attribute)]
    assert names == ["nn.Linear", "F.x", "numpy.x", "torch.optim.SGD"]


def test_rules_are_chosen_by_id_and_by_category(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    id, category = "nan-compare", "numerics"
    for chosen, left in (
        (["--select", category], [id]),
        (["--select", "loss,optim"], []),
        (["--ignore", id], []),
        (["--select", category, "--ignore", category], []),
    ):
        assert [each["id"] for each in findings(capsys, *chosen, ".")] == left
    assert main(["check", "--ignore", "no-rule", "."]) == 2
    capsys.readouterr()
    assert main(["check", "--statistics", "."]) == 1
    assert capsys.readouterr().out.split("\n")[0].split() == ["1", id]
