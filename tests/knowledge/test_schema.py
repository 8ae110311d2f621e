"""The schema's refusals: every problem at once, each saying what to write."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.conftest import KB, write_entry
from torchwhy.authoring.check import check
from torchwhy.knowledge.load import load_knowledge
from torchwhy.retrieval.passages import document, passages

TEMPLATE = (KB / "_template" / "pitfall.yaml").read_text("utf-8")


def problems(tmp_path: Path, text: str) -> str:
    write_entry(tmp_path, yaml=text)
    return "\n".join(map(str, load_knowledge([tmp_path], {}).problems))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: error", "kind: fatal", "kind: found 'fatal'; wanted one of error, warning, silent"),
        ("effect: crash", "effect: boom", "effect: found 'boom'"),
        ("kind: error", "kind: error\nkind: error", "stands twice"),
        ("kind: error", "kind: error\nseverity: 3", "severity"),
        ("kind: error", "kind: &k error", "anchors and aliases"),
        ("kind: error", "kind: !!str error", "is not allowed"),
        ("kind: error", "kind: silent", "the pattern of the 'symptom: ...' line"),
        ("except in dimension (?P<dim>", "except in (?=dimension) (?P<dim>", "a pattern that RE2 compiles"),
        ("(?P<other>\\d+) for tensor", "(?P<first>\\d+) for tensor", "each group name once"),
        ("Tensor {number} has", "Tensor {nummer} has", "a named group of the pattern"),
        ("when: first != other", "when: first is other", "is no comparison such as"),
        ("when: first != other", "when: firsst != other", "is none of"),
        ("releases: '>=1.11'", "releases: 1.11 or newer", "a PEP 440 range"),
        (
            "example: 'RuntimeError: Sizes",
            "example: 'RuntimeError: Shapes",
            "a message that this signature's own pattern matches",
        ),
        (
            "kind: error",
            "kind: error\nasks: {en: [x], zh: []}",
            "asks: found 'questions'; wanted a question a line in asks.en.txt and asks.zh.txt beside it",
        ),
        ("https://docs.pytorch.org", "docs.pytorch.org", "a page that opens with https://"),
        (
            "  - url: https",
            "  - document: '999'\n    section: x\n  - url: https",
            "a key of data/shipped/documents.yaml",
        ),
        ("  zh: 沿某一维拼接张量，而其余维度的大小不一致", "  zh: sizes differ", "the text in Chinese"),
        ("sources:", "needs: {gpu: true}\nsources:", "needs.gpu"),
        ("sources:", "needs: {cuda: 'yes'}\nsources:", "needs.cuda: found 'yes'; wanted bool"),
        (
            "sources:",
            "facts: [{when: moon.phase == full, speaks: for, en: x, zh: 满月}]\nsources:",
            "a fact: one of",
        ),
    ],
)
def test_refusals_teach(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in TEMPLATE
    assert said in problems(tmp_path, TEMPLATE.replace(old, new, 1))


def test_unknown_files_are_refused(tmp_path: Path) -> None:
    folder = write_entry(tmp_path)
    (folder / "asks.txt").write_text("x")
    found = load_knowledge([tmp_path], {})
    assert not found.pitfalls and "only pitfall.yaml, asks.en.txt, asks.zh.txt, repro.py" in str(
        found.problems[0]
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "found 0; wanted 5 or more questions, a line each, unlike one another"),
        ("one\ntwo\n\n  \ntwo\n", "found 2; wanted 5 or more"),
        ("how\n" * 201, "found 201; wanted at most 200 questions"),
        ("a\n" * 5 + "b\x1b[2J\n", "found 'b\\x1b[2J'; wanted a question without characters that act"),
        (b"\xff", "wanted a readable UTF-8 file"),
    ],
    ids=["missing", "few", "many", "a terminal's", "no UTF-8"],
)
def test_questions_that_are_none_name_their_file(tmp_path: Path, text: str | bytes | None, said: str) -> None:
    file = write_entry(tmp_path) / "asks.zh.txt"
    file.unlink()
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    found = load_knowledge([tmp_path], {})
    assert not found.pitfalls
    assert any(
        str(each).startswith("shapes/made-up/asks.zh.txt: ") and said in str(each) for each in found.problems
    ), found.problems


def test_questions_are_lines_in_their_order(tmp_path: Path) -> None:
    """As they are written, whatever YAML would make of them; an editor's byte order mark and line ends are no part."""
    file = write_entry(tmp_path) / "asks.en.txt"
    lines = ["- c: d", "'b'", "# a", "{x}", "null", "2001-01-01"]
    file.write_bytes(("\ufeff" + "\r\n".join(lines) + "\r\n\r\n").encode())
    assert load_knowledge([tmp_path], {}).pitfalls["made-up"].asks["en"] == tuple(lines)


@pytest.mark.parametrize(
    ("line", "number"), [("kind: error\n\tnote: x\n", 2), ("a:\n\tb: 1\n", 2), ("title:\n  en:\n\t- a\n", 3)]
)
def test_a_tab_is_named(tmp_path: Path, line: str, number: int) -> None:
    assert problems(tmp_path, line) == (
        f"shapes/made-up/pitfall.yaml: line {number}: found a tab; wanted spaces; YAML takes no tab there"
    )


def test_other_yaml_that_does_not_parse_names_its_line(tmp_path: Path) -> None:
    assert "pitfall.yaml: line 2, column" in problems(tmp_path, "title: {en: x\nkind: error\n")


def test_a_repro_or_the_reason_why_not(tmp_path: Path) -> None:
    folder = write_entry(tmp_path)
    (folder / "repro.py").unlink()
    assert "repro.py, or repro.none with the reason" in str(load_knowledge([tmp_path], {}).problems[0])


def test_look_alikes_are_mirrored(tmp_path: Path) -> None:
    write_entry(tmp_path, "one", yaml=TEMPLATE + "\nlook_alikes:\n  - {id: two, near_miss: some paste}\n")
    write_entry(tmp_path, "two")
    found = load_knowledge([tmp_path], {}).pitfalls
    assert [pair.id for pair in found["two"].look_alikes] == ["one"]
    assert found["two"].look_alikes[0].near_miss is None


def test_a_dangling_look_alike_is_reported(tmp_path: Path) -> None:
    write_entry(tmp_path, "one", yaml=TEMPLATE + "\nlook_alikes:\n  - {id: two}\n")
    assert not load_knowledge([tmp_path], {}).pitfalls["one"].look_alikes
    assert "two" in str(load_knowledge([tmp_path], {}).dangling[0])


def test_a_renamed_entry_keeps_resolving(tmp_path: Path, cache: Path) -> None:
    from torchwhy.retrieval.compile import open_store

    write_entry(tmp_path, "new-name")
    (tmp_path / "renamed.yaml").write_text("old-name: new-name\n")
    store = open_store([tmp_path])
    assert store.resolve("old-name") == "new-name" and store.resolve("nothing") is None


# a base of one language


def in_english(folder: Path) -> None:
    """The template's entry without its Chinese."""
    file = folder / "pitfall.yaml"
    data = yaml.safe_load(file.read_text("utf-8"))

    def without(value: object) -> object:
        if isinstance(value, list):
            return [without(item) for item in value]
        if isinstance(value, dict):
            return {key: without(item) for key, item in value.items() if key != "zh"}
        return value

    file.write_text(yaml.safe_dump(without(data), allow_unicode=True, sort_keys=False), "utf-8")
    (folder / "asks.zh.txt").unlink()


def test_a_base_may_stand_in_one_language(tmp_path: Path) -> None:
    in_english(write_entry(tmp_path))
    strict = load_knowledge([tmp_path], {})
    assert not strict.pitfalls and "exactly the keys en and zh" in "\n".join(map(str, strict.problems))
    (tmp_path / "languages.yaml").write_text("[en]\n")
    known = load_knowledge([tmp_path], {})
    assert known.problems == () and known.fingerprint != strict.fingerprint
    (entry,) = known.pitfalls.values()
    assert entry.title.en and entry.title.zh == entry.title.en
    assert entry.cause["zh"] == entry.cause["en"] and entry.asks["zh"] == () and len(entry.asks["en"]) >= 5
    said = [(passage.field, passage.text) for passage in passages(entry)]
    assert len(said) == len(set(said))
    assert document(entry)["name"].count(entry.title.en) == 1


def test_of_one_language_that_one_is_wanted(tmp_path: Path) -> None:
    in_english(write_entry(tmp_path))
    (tmp_path / "languages.yaml").write_text("[zh]\n")
    said = "\n".join(map(str, load_knowledge([tmp_path], {}).problems))
    assert "title: found" in said and "the key zh, the language of this knowledge base" in said
    assert "asks.zh: found 0" in said


def test_an_entry_in_both_languages_stays_so_in_a_base_of_one(tmp_path: Path) -> None:
    write_entry(tmp_path)
    (tmp_path / "languages.yaml").write_text("[en]\n")
    (entry,) = load_knowledge([tmp_path], {}).pitfalls.values()
    assert entry.title.zh != entry.title.en and len(entry.asks["zh"]) >= 5


@pytest.mark.parametrize(
    "text", ["", "en", "[fr]", "[en, fr]", "[en, en]", "{en: 1}", "[1]", "a: [", "[[en]]"]
)
def test_a_list_of_languages_that_is_none_says_so(tmp_path: Path, text: str) -> None:
    write_entry(tmp_path)
    (tmp_path / "languages.yaml").write_text(text)
    found = load_knowledge([tmp_path], {})
    assert len(found.pitfalls) == 1 and len(found.problems) == 1
    assert "languages.yaml" in found.problems[0].file
    assert check([tmp_path], {}, {"made-up"}).problems[0] == found.problems[0]
