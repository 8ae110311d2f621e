"""One bad entry stops nothing: the others load, and one line says file, field, found and wanted."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.conftest import KB, write_entry
from tests.support.literals import required_literals
from torchwhy import Assistant
from torchwhy.authoring import code_blocks
from torchwhy.authoring.check import check, find_copies
from torchwhy.authoring.tables import load_tables
from torchwhy.cli import main
from torchwhy.errors import KnowledgeError, UsageError
from torchwhy.knowledge import files
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.files import MAX_FILE_BYTES, UnreadableFileError
from torchwhy.knowledge.load import Knowledge, load_knowledge
from torchwhy.knowledge.script_hashes import file_hash
from torchwhy.machine import torch_probe
from torchwhy.proof.report import report
from torchwhy.retrieval.compile import open_store

pytestmark = pytest.mark.promise(1, 2)

TEMPLATE = (KB / "_template" / "pitfall.yaml").read_text("utf-8")
unix = pytest.mark.skipif(sys.platform == "win32", reason="files that only Unix has")


def with_line(name: str, value: str) -> str:
    """The template with another value of one of its one-line fields, or with a further field."""
    kept = re.sub(rf"^{name}:.*\n(?:[ -].*\n)*", "", TEMPLATE, flags=re.MULTILINE)
    return f"{kept}\n{name}: {value}\n"


def loaded(root: Path) -> Knowledge:
    """The knowledge base with a good entry beside what is there; the good one has to be read."""
    write_entry(root, "good", "healthy")
    knowledge = load_knowledge([root], {})
    assert list(knowledge.pitfalls) == ["good"]
    for problem in knowledge.problems:
        assert str(problem).isprintable()
        assert len(str(problem)) < 2000
    return knowledge


HOSTILE = {
    "no date": (with_line("effect", "2001-99-99"), "effect: found 2001-99-99; wanted one of crash"),
    "5,000 digits": (with_line("effect", "9" * 5000), "effect: found 99999"),
    "5,000 hexadecimal digits": (with_line("effect", "0x" + "f" * 5000), "effect: found a number of"),
    "100,000 digits to the base of 60": (with_line("effect", "1:" * 100_000 + "1"), "effect: found 1:1:1"),
    "5,000 deep": (with_line("effect", "[" * 5000 + "]" * 5000), "nested more than 32 deep"),
    "500,000 deep": (with_line("effect", "[" * 500_000), "nested more than 32 deep"),
    "a list": (with_line("effect", "[crash]"), "effect: found ['crash']"),
    "NUL": (with_line("effect", '"a\\0b"'), "a NUL or half a character"),
    "a bare NUL": (with_line("effect", "a\0b"), "found "),
    "half a character": (with_line("effect", '"\\uD800"'), "found "),
    "the escape character": (with_line("effect", '"\\e[31m"'), "effect: found '\\x1b[31m'"),
    "gpus": (with_line("needs", "{gpus: 0x" + "f" * 5000 + "}"), "needs.gpus: found a number of"),
    "seconds": (with_line("needs", "{seconds: .nan}"), "needs.seconds: found nan"),
    "packages": (with_line("needs", "{packages: [2001-99-99]}"), "needs.packages: found 2001-99-99"),
    "range": (with_line("needs", "{torch: '>=" + "9" * 5000 + "'}"), "needs.torch: found '>=999"),
    "document": (
        with_line("sources", "[{document: [x], section: y}]"),
        "sources[0].document: found ['x']",
    ),
    "url": (with_line("sources", "[{url: 0x" + "f" * 5000 + ", title: y}]"), "sources[0].url"),
    "unknown keys": (TEMPLATE + "".join(f"key{number}: x\n" for number in range(5000)), "key0"),
    "repeats": (with_line("symptom", "'((((x{1000}){1000}){1000}){1000})'"), "that RE2 compiles"),
    "look-around": (with_line("symptom", "'(?=x)(?<!y)'"), "that RE2 compiles"),
    "long": (with_line("symptom", "x" * 20_000), "symptom: found '20,000 characters'"),
    "one scalar": ("x" * 1000, "(top): found 'xxx"),
    "two documents": ("---\na: b\n---\nc: d\n", "found "),
    "too large": ("#" * (MAX_FILE_BYTES + 1), "(file): found 1,048,577 bytes"),
    "nothing": ("", "(top): found None"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_is_one_broken_entry(tmp_path: Path, name: str) -> None:
    text, wanted = HOSTILE[name]
    write_entry(tmp_path, "bad", yaml=text)
    problems = loaded(tmp_path).problems
    assert problems
    assert all(problem.file.startswith("shapes/bad") for problem in problems)
    assert any(wanted in str(problem) for problem in problems), [str(problem) for problem in problems]


@pytest.mark.parametrize("sign", ["\\e[31m", "\\r", "\\a", "\\x9b2J", "\\u202e", "\\u2028"])
@pytest.mark.parametrize("name", ["title", "cause"])
def test_no_text_of_an_entry_acts_on_a_terminal(tmp_path: Path, name: str, sign: str) -> None:
    write_entry(tmp_path, "bad", yaml=with_line(name, f'{{en: "It {sign} acts.", zh: "是 {sign}。"}}'))
    problems = loaded(tmp_path).problems
    assert any(
        f"{name}.en: found 'It " in str(each) and "act on a terminal" in str(each) for each in problems
    )


def test_groups_deeper_than_python_reads_are_a_pattern_without_literals(tmp_path: Path, cache: Path) -> None:
    write_entry(tmp_path, "deep", yaml=with_line("symptom", "'" + "(" * 4000 + "x" + ")" * 4000 + "'"))
    store = open_store([tmp_path])
    assert (store.ids(), required_literals("(" * 4000 + "x" + ")" * 4000)) == (["deep"], ())
    store.db.close()


@pytest.mark.parametrize(("repeats", "count"), [(100, 1), (4, 30)], ids=["one pattern", "many patterns"])
def test_patterns_that_take_much_memory_are_no_entry(tmp_path: Path, repeats: int, count: int) -> None:
    signature = f"  - pattern: '{'(a?){1000}' * repeats}'\n    example: a\n    releases: '>=2.0'\n"
    text = re.sub(
        r"^signatures:\n(?:[ -].*\n|\n)*", lambda _: "signatures:\n" + signature * count, TEMPLATE, flags=re.M
    )
    write_entry(tmp_path, "bad", yaml=text)
    assert any("take RE2 at most" in str(each) for each in loaded(tmp_path).problems)


def test_text_that_is_not_utf_8(tmp_path: Path) -> None:
    (write_entry(tmp_path, "bad") / "pitfall.yaml").write_bytes(b"title: \xff\xfe")
    assert "a readable UTF-8 file" in str(loaded(tmp_path).problems[0])


def test_what_nobody_foresaw_is_one_broken_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from torchwhy.knowledge import schema

    read = schema.read_entry

    def fail(text: str, **words: str) -> object:
        if words["id"] == "bad":
            raise ZeroDivisionError("by zero")
        return read(text, **words)  # type: ignore[arg-type]

    monkeypatch.setattr(schema, "read_entry", fail)
    write_entry(tmp_path, "bad")
    assert "ZeroDivisionError: by zero" in str(loaded(tmp_path).problems[0])


@unix
@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        (b"b\xffd", "b\\xffd"),
        (b"b\x1b[31md", "b\\x1b[31md"),
        (b"b\nd", "b\\nd"),
        ("b\u061cd".encode(), "b\\u"),
    ],
)
def test_a_folder_name_is_shown_escaped(tmp_path: Path, cache: Path, name: bytes, wanted: str) -> None:
    entry = write_entry(tmp_path, "bad")
    try:
        os.rename(entry, os.path.join(os.fsencode(entry.parent), name))
    except OSError:
        pytest.skip("this file system takes no such name")
    assert any(wanted in str(problem) for problem in loaded(tmp_path).problems)
    store = open_store([tmp_path])
    assert store.ids() == ["good"]
    store.db.close()


@unix
@pytest.mark.parametrize("part", [b"r\xfft", b"a#b?c%41"])
def test_a_knowledge_base_and_a_cache_in_an_odd_folder(
    tmp_path: Path, part: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / os.fsdecode(part)
    try:
        write_entry(root / "kb", "good")
    except OSError:
        pytest.skip("this file system takes no such name")
    monkeypatch.setenv("TORCHWHY_CACHE", str(root / "cache"))
    store = open_store([root / "kb"])
    assert store.pitfall("good").folder == str(root / "kb" / "shapes" / "good")
    store.db.close()


def a_fifo(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_ring(path: Path) -> None:
    path.symlink_to(path.name)


ODD_FILES = [a_fifo, a_socket, a_device, a_folder, a_ring]


@unix
@pytest.mark.parametrize("make", ODD_FILES)
@pytest.mark.parametrize("place", ["shapes/bad/pitfall.yaml", "shapes/bad/asks.en.txt", "renamed.yaml"])
def test_an_odd_file_is_said_and_never_waited_for(
    tmp_path: Path, make: Callable[[Path], None], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_entry(tmp_path, "bad")
    (tmp_path / place).unlink(missing_ok=True)
    monkeypatch.chdir(tmp_path)
    make(tmp_path / place)
    if place == "renamed.yaml":
        (tmp_path / "shapes" / "bad" / "pitfall.yaml").write_text("")
    problems = [str(problem) for problem in loaded(tmp_path).problems]
    assert any(place.rpartition("/")[2] in problem and "(file)" in problem for problem in problems), problems


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[a, b]", "(top): found ['a', 'b']; wanted a mapping"),
        ("just text", "(top): found 'just text'"),
        ("x: [1]\n", "x: found [1]; wanted the new id"),
        ("x: 2001-99-99\n", "x: found 2001-99-99"),
        ("[" * 5000, "nested more than 32 deep"),
        ("x: y\ny: x\n", "found 'x'; wanted"),
        ("x: x\n", "found 'x'; wanted"),
        ("a: b\nb: c\nc: b\n", "found 'c'; wanted"),
    ],
)
def test_a_hostile_renamed_yaml(tmp_path: Path, cache: Path, text: str, wanted: str) -> None:
    (tmp_path / "renamed.yaml").write_text(text + "\nold: good\n" if text[-1] == "\n" else text)
    problems = [str(problem) for problem in loaded(tmp_path).problems]
    assert any("renamed.yaml" in problem and wanted in problem for problem in problems), problems
    store = open_store([tmp_path])
    assert [store.resolve(id) for id in ("x", "y", "a", "b")] == [None] * 4
    assert store.resolve("old") == ("good" if text[-1] == "\n" else None)
    store.db.close()


def test_old_ids_of_two_knowledge_bases_that_lead_in_a_circle(tmp_path: Path) -> None:
    for name, text in (("one", "x: y\n"), ("two", "y: x\nz: good\n")):
        write_entry(tmp_path / name, "good")
        (tmp_path / name / "renamed.yaml").write_text(text)
    knowledge = load_knowledge([tmp_path / "one", tmp_path / "two"], {})
    assert knowledge.renamed == {"z": "good"}
    assert len(knowledge.problems) == 2


def test_a_category_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "closed").mkdir()
    listdir, iterdir = os.listdir, Path.iterdir

    def refuse(path: object) -> None:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "listdir", lambda path: refuse(path) or listdir(path))
    monkeypatch.setattr(Path, "iterdir", lambda path: refuse(path) or iterdir(path))
    assert "closed: (folder): found" in str(loaded(tmp_path).problems[0])


def test_many_copies_of_an_id_take_linear_time(tmp_path: Path) -> None:
    times = []
    for count in (100, 400):
        root = tmp_path / str(count)
        for number in range(count):
            write_entry(root, "same", f"category{number}")
        started = time.process_time()
        knowledge = load_knowledge([root], {})
        times.append(time.process_time() - started)
        assert len(knowledge.problems) == count - 1
    assert times[1] < 4 * 2 * times[0]


@unix
@pytest.mark.parametrize("name", ["pitfall.yaml", "asks.zh.txt", "repro.py"])
def test_a_file_of_holes_is_one_broken_entry(tmp_path: Path, cache: Path, name: str) -> None:
    """A file may say 60 GB and be a few bytes long: reading it whole ends the program, or the machine."""
    write_entry(tmp_path, "bad")
    os.truncate(tmp_path / "shapes" / "bad" / name, 60 << 30)
    assert any("shapes/bad" in str(problem) for problem in loaded(tmp_path).problems)
    store = open_store([tmp_path])
    assert store.pitfall("good").id == "good"
    store.db.close()


@unix
@pytest.mark.parametrize("make", ODD_FILES)
def test_a_script_that_became_something_else_is_not_waited_for(
    tmp_path: Path, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Knowledge is compiled once; what then stands in the script's place is read when the entry is shown."""
    write_entry(tmp_path, "bad")
    script = tmp_path / "shapes" / "bad" / "repro.py"
    script.unlink()
    monkeypatch.chdir(tmp_path)
    make(script)
    with pytest.raises(UnreadableFileError):
        file_hash(script)


@pytest.mark.parametrize(
    "content", [b"# \xff\n", b"-" * 200_000 + b"1\n", b"x = '\0'\n"], ids=["no UTF-8", "deep", "NUL"]
)
def test_a_script_that_cannot_be_read_is_one_line(
    tmp_path: Path,
    cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
) -> None:
    """No byte of a script, and no depth of it, ends the command that looks at it."""
    script = write_entry(tmp_path, "bad-script") / "repro.py"
    script.write_bytes(content)
    assert main(["kb", "check", str(tmp_path)]) == 1
    assert re.search(r"shapes/bad-script/repro\.py: .*: found .*; wanted ", capsys.readouterr().out)
    if b"\xff" in content:
        assert main(["repro", "bad-script", "--kb", str(tmp_path)]) == 2
        assert "repro.py cannot be read: found 'utf-8' codec" in capsys.readouterr().err
        assistant = Assistant(str(tmp_path), vectors=False)
        talk = assistant.conversation()
        talk.say("what is bad-script")
        with pytest.raises(UsageError, match="cannot be read"):
            talk.say("show me the script")
        answer = assistant.ask("Sizes of tensors must match except in dimension 1")
        monkeypatch.setattr(files, "MAX_FILE_BYTES", 10)
        told = report(answer, torch_probe.Probe(sys.executable, "3.11.0", "linux"), None)
        assert answer.match is not None and "```python" not in told


def with_code(code: str) -> str:
    return with_line("cause", json.dumps(dict.fromkeys(("en", "zh"), f"先 first\n\n{code}")))


CODE_OF_NOBODY = {
    "signs": f"```python\nx = {'-' * 15_000}1\n```\n",
    "nots": f"```python\nx = {'not ' * 4_500}1\n```\n",
    "attributes": f"```python\na{'.b' * 9_000}\n```\n",
}


@pytest.mark.parametrize("name", CODE_OF_NOBODY)
def test_code_that_nobody_can_parse_is_one_problem(tmp_path: Path, name: str) -> None:
    write_entry(tmp_path, "bad", yaml=with_code(CODE_OF_NOBODY[name]))
    found = check([tmp_path], {}).problems
    assert any("wanted Python that parses" in str(each) for each in found), [
        str(each)[:200] for each in found
    ]
    assert all(len(str(each)) < 2000 for each in found)


def test_the_words_of_an_entry_are_collected_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They were for each block: thousands of them took minutes."""
    calls: list[str] = []

    def spoken_names(entry: Pitfall) -> set[str]:
        calls.append(entry.id)
        return set()

    monkeypatch.setattr(code_blocks, "spoken_names", spoken_names)
    write_entry(tmp_path, "bad", yaml=with_code("".join(f"```python\nqx{n}(1)\n```\n" for n in range(50))))
    assert sum("which nothing defines" in str(each) for each in check([tmp_path], {}).problems) >= 50
    assert calls == ["bad"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cause", json.dumps({"en": "|a" * 100_000 + "\n" + "|-" * 100_000, "zh": "见上"})),
        ("cause", json.dumps({"en": "|a" * 60 + "\n" + "|-" * 60 + "\n" + "b\n" * 100, "zh": "见上"})),
        ("cause", json.dumps({"en": "a\n=\n" * 4000, "zh": "见上"})),
    ],
    ids=["a table", "cells", "headings"],
)
def test_more_than_anybody_reads_is_no_entry(tmp_path: Path, name: str, value: str) -> None:
    """A table of so many columns was drawn for minutes; in the chat one of so many cells, and so many headings."""
    write_entry(tmp_path, "bad", yaml=with_line(name, value))
    assert any(f"{name}.en: found" in str(each) for each in loaded(tmp_path).problems)


def test_no_name_of_a_table_acts_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "_tables").mkdir()
    (tmp_path / "_tables" / "\x1b[31m.yaml").write_text("[\x1b]")
    with pytest.raises(KnowledgeError) as raised:
        load_tables(tmp_path)
    assert str(raised.value).isprintable()


def drawn(folder: Path, rows: object) -> list[str]:
    table = {
        "title": {"en": "a", "zh": "b"},
        "date": "x",
        "columns": ["a"],
        "rows": rows,
        "sources": [{"url": "https://x", "title": "y"}],
        "shown_in": ["good"],
    }
    (folder / "_tables").mkdir()
    (folder / "_tables" / "odd.yaml").write_text(json.dumps(table))
    return load_tables(folder)["odd"].lines("en")


def test_a_table_of_numbers_is_drawn(tmp_path: Path) -> None:
    assert drawn(tmp_path, [[{"en": 5, "zh": 6}]]) == ["a", "5"]


def test_a_table_that_would_fill_memory_cannot_be_read(tmp_path: Path) -> None:
    """Each cell is as wide as the widest of its column: half a megabyte took gigabytes."""
    with pytest.raises(KnowledgeError, match="more than 1,048,576 characters"):
        drawn(tmp_path, [["x" * 100_000], *[["y"]] * 40_000])


def test_questions_that_share_their_words_are_not_compared_without_end() -> None:
    """Each with each: a hundred entries of them took minutes."""
    entries = {
        str(number): SimpleNamespace(id=str(number), asks={"en": ["why is this so slow"] * 150, "zh": []})
        for number in range(10)
    }
    assert 1000 < sum(1 for _ in find_copies(cast(Mapping[str, Pitfall], entries))) < 400_000
