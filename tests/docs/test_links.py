"""Every face links the site's page where TORCHWHY_SITE names a site, and a terminal's links lead there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.terminal import Terminal, environment
from torchwhy import Assistant
from torchwhy.agents import pages
from torchwhy.answers import terminal
from torchwhy.answers.markdown import answer_markdown
from torchwhy.cli import main
from torchwhy.knowledge.site import page_of_id
from torchwhy.plugins.exception import explain
from torchwhy.proof.report import diagnosis
from torchwhy.run.watch_page import html_page as watch_html
from torchwhy.run.watched import Watched, WatchFinding
from torchwhy.triaging import page as triage_page
from torchwhy.triaging.summary import Cause, Summary

SITE = "https://docs.example.org/torchwhy"
TWICE = "RuntimeError: Trying to backward through the graph a second time"
HANGS = "训练卡住了，一动不动"
BROKEN = "import math\n\n\ndef nan(loss):\n    if loss.item() == math.nan:\n        raise ValueError\n"
LINK = re.compile(rb"\x1b\]8;;([^\x1b]*)\x1b\\(.*?)\x1b\]8;;\x1b\\")


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> Assistant:
    monkeypatch.setenv("TORCHWHY_SITE", SITE + "/")
    return Assistant(vectors=False)


@pytest.mark.usefixtures("linked")
@pytest.mark.parametrize(
    ("id", "page"),
    [
        ("backward-twice", f"{SITE}/zh/p/backward-twice/"),
        ("training-hangs", f"{SITE}/zh/f/training-hangs/"),
        ("of-our-team", None),
        ("../backward-twice", None),
        ("*", None),
    ],
)
def test_only_what_is_shipped_has_a_page(id: str, page: str | None) -> None:
    assert page_of_id(id, "zh") == page


def test_answer_report_notebook_and_agent(linked: Assistant) -> None:
    page = f"{SITE}/p/backward-twice/"
    answer = linked.ask(TWICE, lang="en")
    assert answer.to_dict()["match"]["page"] == page
    assert page in str(answer)
    assert page in answer._repr_markdown_()
    assert page in answer._repr_html_()
    assert page in "\n".join(diagnosis(answer))
    assert page in pages.diagnosis(answer)
    for sections in (pages.SHOWN_FIRST, ("sources",), ("all",)):
        assert pages.entry(linked, "backward-twice", "en", sections).count(page) == 1
    error = RuntimeError(TWICE.partition(": ")[2])
    assert page in explain(error, lang="en").markdown  # of a notebook's %why and of pytest --why


def test_a_familys_answer_and_report(linked: Assistant) -> None:
    answer = linked.ask(HANGS, lang="zh")
    assert answer.family is not None
    page = f"{SITE}/zh/f/{answer.family.id}/"
    assert page in str(answer)
    for brief in (True, False):
        assert page in answer_markdown(answer, brief=brief)
    assert page in "\n".join(diagnosis(answer))
    assert page in pages.diagnosis(answer)


@pytest.mark.usefixtures("linked")
def test_every_form_of_a_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text(BROKEN)
    page = f"{SITE}/p/nan-compare/"
    said = {}
    for form in ("text", "json", "sarif", "github"):
        assert main(["check", "--lang", "en", "--format", form, "train.py"]) == 1
        said[form] = capsys.readouterr().out
    assert f"    {page}\n" in said["text"]
    assert json.loads(said["json"])["findings"][0]["page"] == page
    assert json.loads(said["sarif"])["runs"][0]["tool"]["driver"]["rules"][0]["helpUri"] == page
    assert said["github"].endswith(f"%0A{page}\n")
    assert main(["show", "nan-compare", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["page"] == page


@pytest.mark.usefixtures("linked")
def test_pages_of_html(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(
        "", [WatchFinding("nan-loss", "a.py", 1, 0, "m"), WatchFinding("of-our-team", "b.py", 1, 0, "m")]
    )
    jobs = Summary(jobs=2, failed=2, causes=[Cause("entry", "nan-loss", 1), Cause("python", "KeyError", 1)])
    made = [watch_html(watched, ["x"], "en"), triage_page.html_page(jobs, lambda id: id, "en")]
    assert [page.count(f'<a href="{SITE}/p/nan-loss/">') for page in made] == [1, 1]
    assert [page.count("<a ") for page in made] == [1, 1]
    monkeypatch.delenv("TORCHWHY_SITE")
    assert "<a " not in watch_html(watched, ["x"], "en")


def links_of(words: list[str], folder: Path, **env: str) -> dict[str, str]:
    """What a terminal would link: {address: the text}."""
    command = [sys.executable, "-m", "torchwhy", *words]
    with Terminal(command, str(folder), {**environment(), "TERM": "xterm-256color", **env}) as terminal:
        terminal.finish(60)
        return {address.decode(): text.decode() for address, text in LINK.findall(terminal.seen)}


def test_a_terminal_links_file_and_page(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("loss = 1\nloss.backward()\n")
    (tmp_path / "log.txt").write_text(
        f'Traceback (most recent call last):\n  File "{tmp_path}/train.py", line 2, in <module>\n    loss.backward()\n{TWICE}\n'
    )
    asked = ["--lang", "en", "--no-vectors", "-f", "log.txt"]
    found = links_of(asked, tmp_path, TORCHWHY_SITE=SITE)
    page = found.pop(f"{SITE}/p/backward-twice/")
    assert "its page" in page
    file, text = next(iter(found.items()))
    assert file.startswith("file://") and file.endswith(f"{tmp_path}/train.py#L2")
    assert {*links_of(asked, tmp_path, TORCHWHY_LINKS="vscode")} == {f"vscode://file{tmp_path}/train.py:2"}
    assert "train.py:2" in text
    assert links_of(asked, tmp_path, TORCHWHY_SITE=SITE, TERM="linux") == {}
    (tmp_path / "train.py").write_text(BROKEN)
    found = links_of(["check", "--lang", "en", "train.py"], tmp_path, TORCHWHY_SITE=SITE)
    assert [os.path.basename(address.rstrip("/")) for address in found] == ["train.py#L5", "nan-compare"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_problem_matchers_of_the_document_read_real_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lang: str
) -> None:
    document = (ROOT / "docs/run.md").read_text("utf-8")
    tasks = json.loads(document.partition("```json\n")[2].partition("```")[0])["tasks"]
    run, check = [task["problemMatcher"]["pattern"] for task in tasks]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path / "data"))
    long = "value = " + " + ".join(f"a_rather_long_name_{at}" for at in range(8))
    Path("deep.py").write_text(f"def of_it():\n    {long}\n\n\nof_it()\n")
    Path("train.py").write_text(BROKEN + "\nraise IndexError('no such row')\n")
    for file, line, text in [("train.py", "8", "raise IndexError"), ("deep.py", "2", "")]:
        done = subprocess.run(
            [sys.executable, "-m", "torchwhy", "run", "--lang", lang, sys.executable, file],
            capture_output=True,
            text=True,
            check=False,
        )
        found = [match for each in done.stderr.splitlines() if (match := re.match(run["regexp"], each))]
        assert [(match[run["file"]], match[run["line"]]) for match in found] == [(file, line)]
        assert text in found[0][run["message"]]
    main(["check", "--lang", lang, "train.py"])
    found = [
        match for each in capsys.readouterr().out.splitlines() if (match := re.match(check["regexp"], each))
    ]
    assert [match[check["line"]] for match in found] == ["5"] and "nan" in found[0][check["message"]].lower()


@pytest.mark.parametrize("name", ["https://evil.example.org/x.py", "\x1b]8;;https://evil\x1b\\x.py"])
def test_a_name_in_a_paste_is_never_an_address(name: str) -> None:
    assert terminal._linked("x", name) == "x"
