"""The built files: every link, id and size; every message of every entry; what the reference and the guides name."""

from __future__ import annotations

import html
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from docs.build import llms_text, shipped_knowledge
from docs.check import MAX_PAGE_BYTES, problems
from docs.guides import GUIDES, ORDER
from docs.knowledge_pages import no_runs_says
from docs.phrases import WORDS
from docs.prose import markdown_html
from docs.record import COMMANDS as RECORDED_COMMANDS
from docs.record import RECORDED, SESSION, recorded_step
from docs.reference import EXAMPLE
from tests.conftest import ROOT, Run
from tests.support.guides import commands_of
from torchwhy.api import Assistant
from torchwhy.cli.arguments import parse_line
from torchwhy.extend import COMMANDS
from torchwhy.knowledge.entry import Needs

TAGS = re.compile(r"<[^>]+>")
HEAD = '<!doctype html><html lang="en"><h1 id="top">t</h1>'


def text_of(path: Path) -> str:
    """What a reader of a page sees, runs of white space as one blank."""
    return " ".join(html.unescape(TAGS.sub("", path.read_text("utf-8"))).split())


def test_links_ids_languages_and_sizes(site: Path) -> None:
    assert problems(site) == []


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        (HEAD + '<a href="other/">x</a>', "leads to other/, where nothing is"),
        (HEAD + '<a href="#bottom">x</a>', "leads to #bottom, where no bottom is"),
        (HEAD + '<a href="javascript:alert(1)">x</a>', "leads to javascript:alert(1)"),
        (HEAD + '<p id="top">x', "the id top stands twice"),
        (HEAD + '<script src="https://cdn.example.org/x.js"></script>', "is no file of this site"),
        (HEAD + '<link rel="stylesheet" href="none.css">', "is no file of this site"),
        (HEAD + "<p>" + "x" * MAX_PAGE_BYTES, "bytes with all that it loads"),
        (HEAD.replace('"en"', '"zh"'), "its language is zh, wanted en"),
        (HEAD + "<h1>u</h1>", "2 headings of level one"),
    ],
)
def test_the_check_sees(page: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(page)
    found = problems(tmp_path)
    assert len(found) == 1
    assert problem in found[0]


def test_every_message_script_and_field_stands_on_its_page(site: Path) -> None:
    knowledge = shipped_knowledge()
    assert len(knowledge.pitfalls) > 300
    for entry in knowledge.pitfalls.values():
        for prefix, lang in (("", "en"), ("zh/", "zh")):
            page = site / f"{prefix}p/{entry.id}" / "index.html"
            shown = text_of(page)
            wanted = [signature.example for signature in entry.signatures]
            wanted += [Path(entry.repro).read_text("utf-8")] if entry.repro else []
            wanted += [html.unescape(TAGS.sub("", markdown_html(entry.fix[lang])))]
            missing = [text[:80] for text in wanted if " ".join(text.split()) not in shown]
            assert not missing, f"{page}: {missing}"
            assert shown.index(" ".join(wanted[-1].split())[:60]) > 0
    for family in knowledge.families.values():
        for prefix in ("", "zh/"):
            page = (site / f"{prefix}f/{family.id}" / "index.html").read_text("utf-8")
            assert all(f'p/{member}/"' in page for member in family.members)


def test_the_fix_stands_before_the_cause(site: Path) -> None:
    page = (site / "p/backward-twice/index.html").read_text("utf-8")
    places = [page.index(f'id="{name}"') for name in ("message", "fix", "why", "check", "proof", "sources")]
    assert places == sorted(places)
    assert "torch 2.13.0" in page


def test_every_chinese_page_is_in_chinese(site: Path) -> None:
    pages = sorted(site.glob("zh/**/index.html"))
    assert pages
    for page in pages:
        body = text_of(page)
        assert len(re.findall(r"[\u3400-\u9fff]", body)) > 30, page


def test_the_commands_are_those_of_the_program(site: Path, torchwhy: Run) -> None:
    shown = text_of(site / "reference/commands/index.html")
    for words in (["--help"], ["help", "ask"], ["help", "confirm"], ["help", "run"]):
        said = torchwhy(*words, env={"COLUMNS": "96"}).stdout
        assert said and " ".join(said.split()) in shown
    assert all(f"torchwhy {name}" in shown for name in COMMANDS)


@pytest.mark.parametrize("path", sorted(GUIDES.glob("*.md")), ids=lambda path: path.stem)
def test_commands_of_guides_are_understood(path: Path) -> None:
    """What a guide shows behind `torchwhy` is a line that its parser takes, and the command that it looks like."""
    for line in commands_of(path):
        found = re.search(r"(?:^|[|=\w-] )torchwhy(?= |$)(.*)", line)
        if found is None:
            assert "torchwhy" not in line, line
            continue
        words = shlex.split(found[1].split(" > ")[0])
        name, _ = parse_line(words)
        first = next((word for word in words if not word.startswith("-")), "")
        assert name == (first if first in COMMANDS else "ask"), line


def test_guides_stand_in_both_languages() -> None:
    names = {path.name for path in GUIDES.glob("*.md")}
    assert names == {f"{name}.{lang}.md" for name in (*ORDER, "start") for lang in ("en", "zh")}
    shown = {name: [commands_of(GUIDES / f"{name}.{lang}.md") for lang in ("en", "zh")] for name in ORDER}
    assert all(shown[name][0] for name in ORDER)
    assert [name for name, (english, chinese) in shown.items() if english != chinese] == []


def test_properties_stand_as_properties(site: Path) -> None:
    shown = text_of(site / "reference/python/index.html")
    for name, kind in (("title", "str"), ("found", "bool"), ("here", "UserFrame | None"), ("fix", "str")):
        assert f"{name}: {kind} # a property" in shown
        assert f"{name}(self)" not in shown
    assert "pitfalls: Mapping[str, Pitfall] # a property" in shown
    assert "ask(self, text" in shown and "import torchwhy" in shown


def test_the_example_of_the_python_reference_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(EXAMPLE, {})
    said = capsys.readouterr().out
    assert said.startswith("backward-twice 0.9") and "retain_graph" in said


def test_why_a_script_has_no_run_is_said_as_it_is() -> None:
    entry = next(each for each in shipped_knowledge().pitfalls.values() if each.repro)
    row = {"sha256": "0" * 64, "verdict": "reproduces-here", "message": "", "date": "2026-01-02"}
    ran = {"torch": "2.6.0", "device": "cpu", "entries": {entry.id: row}}
    could_not = {"torch": "2.13.0", "device": "cpu", "entries": {entry.id: {**row, "verdict": "cannot-run"}}}
    bare, gpu, package = (
        entry._replace(needs=needs) for needs in (Needs(), Needs(cuda=True), Needs(packages=("dgl",)))
    )
    said = {lang: no_runs_says(bare, [could_not, ran], lang) for lang in ("en", "zh")}
    assert "earlier form" in said["en"] and "torch 2.6.0" in said["en"] and "2.13.0" not in said["en"]
    assert "较早的写法" in said["zh"] and "torch 2.6.0" in said["zh"]
    assert "GPU" in no_runs_says(gpu, [could_not], "en") and "dgl" in no_runs_says(package, [], "zh")
    assert no_runs_says(bare, [could_not], "en") == WORDS["runs_none"][0]


def test_every_phrase_is_said() -> None:
    said = "".join(
        path.read_text("utf-8") for path in (ROOT / "docs").rglob("*") if path.suffix in (".py", ".html")
    )
    unsaid = [key for key in WORDS if "." not in key and not re.search(rf"['\"]{key}['\"]", said)]
    assert unsaid == []
    assert all(both[0] and both[1] for both in WORDS.values())


def test_llms_txt_names_every_page(site: Path) -> None:
    knowledge = shipped_knowledge()
    text = (site / "llms.txt").read_text("utf-8")
    assert text == llms_text(knowledge)
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert {f"p/{id}/" for id in knowledge.pitfalls} < set(links)
    assert all((site / link / "index.html").is_file() for link in links)


def test_a_sitting_is_recorded_as_it_happens(site: Path, tmp_path: Path) -> None:
    """Its first command is run again: the same answer follows the program's traceback."""
    kept = json.loads(SESSION.read_text("utf-8"))
    assert [step["command"] for step in kept] == [
        f"torchwhy {' '.join(words)}" for words in RECORDED_COMMANDS
    ]
    (tmp_path / "train.py").write_bytes((RECORDED / "train.py").read_bytes())
    again = recorded_step(RECORDED_COMMANDS[0], tmp_path)["output"]
    answers = [text[text.index("\ntrain.py:") :] for text in (kept[0]["output"], again)]
    assert answers[0] == answers[1]
    assert "# reproduces-here" in kept[1]["output"]
    shown = text_of(site / "index.html")
    assert all(" ".join(step["output"].split()) in shown for step in kept)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    done = subprocess.run(
        [sys.executable, "-m", "docs", "--to", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "holds something that is no site" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_foreign_markup_in_an_entry_stays_text() -> None:
    made = markdown_html("<script>alert(1)</script> [x](javascript:alert(1)) `<b>`")
    assert "<script" not in made
    assert 'href="javascript' not in made
    assert "&lt;b&gt;" in made


# The address of the site in answers


def test_no_address_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TORCHWHY_SITE", raising=False)
    answer = Assistant(vectors=False).ask(
        "RuntimeError: Trying to backward through the graph a second time", lang="en"
    )
    assert answer.to_dict()["match"]["page"] is None
    assert "its page:" not in str(answer)


def test_an_address_that_is_none_is_refused_in_one_line(torchwhy: Run) -> None:
    done = torchwhy("show", "backward-twice", env={"TORCHWHY_SITE": "docs.example.org"})
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "TORCHWHY_SITE" in done.stderr
