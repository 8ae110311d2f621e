"""`torchwhy kb new`: a copy of the template, in a base of one's own or in the checkout's."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import KB, Run, write_entry
from torchwhy.authoring import check
from torchwhy.authoring.create import create_entry
from torchwhy.cli import main
from torchwhy.errors import UsageError
from torchwhy.knowledge.load import load_knowledge
from torchwhy.runtime import locations

pytestmark = pytest.mark.promise(6)


def test_a_new_entry_is_the_template(tmp_path: Path) -> None:
    folder = create_entry("shapes/my-pitfall", tmp_path, [])
    assert folder == tmp_path / "shapes" / "my-pitfall"
    assert sorted(path.name for path in folder.iterdir()) == [
        "asks.en.txt",
        "asks.zh.txt",
        "pitfall.yaml",
        "repro.py",
    ]
    loaded = load_knowledge([tmp_path], {})
    assert list(loaded.pitfalls) == ["my-pitfall"]
    assert not loaded.problems


def test_a_base_of_one_language_begins_with_lang(tmp_path: Path) -> None:
    folder = create_entry("team/gpu-quota", tmp_path, [], "en")
    assert sorted(path.name for path in folder.iterdir()) == ["asks.en.txt", "pitfall.yaml", "repro.py"]
    loaded = load_knowledge([tmp_path], {})
    assert list(loaded.pitfalls) == ["gpu-quota"] and not loaded.problems
    assert not (create_entry("team/more", tmp_path, []) / "asks.zh.txt").exists()
    with pytest.raises(UsageError, match=r"stands in en; leave out --lang"):
        create_entry("team/third", tmp_path, [], "zh")


def test_its_editor_finds_the_schema(tmp_path: Path) -> None:
    for file in (
        create_entry("shapes/my-pitfall", tmp_path, []) / "pitfall.yaml",
        KB / "_template" / "pitfall.yaml",
    ):
        line = re.match(r"# yaml-language-server: \$schema=(\S+)\n", file.read_text("utf-8"))
        assert line
        assert (file.parent / line[1]).is_file()


@pytest.mark.parametrize(
    "name", ["one", "a/b/c", "Shapes/x", "shapes/", "/x", "shapes/_x", "shapes/a b", "../x/y", ""]
)
def test_an_ill_formed_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="wanted CATEGORY/ID"):
        create_entry(name, tmp_path, [])
    assert list(tmp_path.iterdir()) == []


def test_a_taken_id_is_refused(tmp_path: Path) -> None:
    write_entry(tmp_path, "taken", "shapes")
    (tmp_path / "renamed.yaml").write_text("old-name: taken\n")
    with pytest.raises(UsageError, match=r"taken exists: .*add your wording there"):
        create_entry("other/taken", tmp_path, [tmp_path])
    with pytest.raises(UsageError, match="old-name is an old id of taken"):
        create_entry("shapes/old-name", tmp_path, [tmp_path])
    with pytest.raises(UsageError, match="exists; edit what is there"):
        create_entry("shapes/taken", tmp_path, [])


def test_the_command_says_what_comes_next(torchwhy: Run, tmp_path: Path) -> None:
    done = torchwhy("kb", "new", "shapes/my-pitfall", "--kb", "team")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "team/shapes/my-pitfall: edit its files, then",
        "  torchwhy kb check team/shapes/my-pitfall",
        "  torchwhy confirm my-pitfall --kb team --mine",
    ]
    assert (tmp_path / "team" / "shapes" / "my-pitfall" / "repro.py").is_file()
    again = torchwhy("kb", "new", "shapes/my-pitfall", "--kb", "team")
    assert (again.returncode, again.stdout) == (2, "")
    shipped = torchwhy("kb", "new", "shapes/backward-twice", "--kb", "team", "--json")
    assert shipped.returncode == 2
    data = json.loads(torchwhy("kb", "new", "shapes/another", "--kb", "team", "--json").stdout)
    assert data["folder"] == str(tmp_path / "team" / "shapes" / "another")
    assert data["next"][0] == "torchwhy kb check team/shapes/another"


def test_a_base_that_the_settings_name_needs_no_option(torchwhy: Run, tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    done = torchwhy("kb", "new", "shapes/my-pitfall", env={"TORCHWHY_KB": str(tmp_path / "team")})
    assert done.stdout.splitlines()[-1] == "  torchwhy confirm my-pitfall --mine"
    assert (tmp_path / "team" / "shapes" / "my-pitfall").is_dir()


@pytest.mark.parametrize("place", ["package", "site-packages", "checkout"])
def test_no_installation_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    """Neither the shipped knowledge of a wheel, nor where a folder of one is named, nor a checkout for reading alone."""
    site = tmp_path / "lib/python3.11/site-packages"
    package = site / "torchwhy"
    shutil.copytree(KB / "_template", package / "_shipped/kb/_template")
    words = ["kb", "new", "shapes/my-pitfall"]
    if place == "checkout":
        monkeypatch.setattr(os, "access", lambda path, mode: False)
    else:
        monkeypatch.setattr(locations, "PACKAGE", package)
        words += ["--kb", str(site / "other/kb")] if place == "site-packages" else []
    before = sorted(tmp_path.rglob("*")), sorted(KB.glob("shapes/*"))
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == "" and "torchwhy kb new shapes/my-pitfall --kb my-kb" in said.err
    assert len(said.err.splitlines()) == 1
    assert (sorted(tmp_path.rglob("*")), sorted(KB.glob("shapes/*"))) == before


def test_what_is_left_of_the_template_is_one_problem(tmp_path: Path) -> None:
    """And not a claim on the entry that the template is a copy of."""
    folder = create_entry("shapes/my-pitfall", tmp_path, [], "en")
    (problem,) = check.check([KB, tmp_path], {}, {"my-pitfall"}).problems
    assert problem.wanted == "your own: edit me"
    assert problem.field == "title, cause, fix, check, signatures[0], signatures[1], asks.en.txt"
    text = (folder / "pitfall.yaml").read_text("utf-8")
    (folder / "pitfall.yaml").write_text(
        text.replace("Two tensors are joined", "Two pipes are joined"), "utf-8"
    )
    (problem,) = check.check([KB, tmp_path], {}, {"my-pitfall"}).problems
    assert problem.field.startswith("cause, ")
