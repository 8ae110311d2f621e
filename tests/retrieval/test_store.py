"""Compiled knowledge. Oracle: the entries that were put in, equal field by field when read back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import KB, write_entry
from tests.support.literals import required_literals
from tests.support.made import MEMORY, NAN, open_store
from torchwhy.errors import StoreError
from torchwhy.knowledge.entry import (
    ChangeTemplate,
    EditTemplate,
    FactRule,
    LookAlike,
    Needs,
    Neighbour,
    Pitfall,
    Says,
    Signature,
    Source,
    as_data,
    from_data,
)
from torchwhy.knowledge.patterns import spaced
from torchwhy.retrieval.compile import knowledge_files
from torchwhy.retrieval.compile import open_store as compiled_store
from torchwhy.retrieval.passages import all_passages
from torchwhy.retrieval.store import Store
from torchwhy.runtime import cache as cache_module
from torchwhy.runtime import locations
from torchwhy.text.language import Bilingual

BOTH = Bilingual("text", "文字")
WHOLE = Pitfall(  # every field, down to the last, is unlike its default
    id="i",
    category="c",
    title=BOTH,
    kind="warning",
    effect="slow",
    asks={"en": ("a", "b"), "zh": ("甲",)},
    cause=Bilingual("cause", "原因"),
    fix=Bilingual("fix", "办法"),
    check=Bilingual("check", "查看"),
    sources=(Source("d", "s", "https://x.org", "t"), Source(url="https://y.org", title="u")),
    signatures=(
        Signature(
            "p", "e", ">=1", "ctx", (Says(BOTH, "a < b"), Says(BOTH)), (ChangeTemplate(None, code="own"),)
        ),
        Signature("q", "f"),
    ),
    symptom="sym",
    look_alikes=(LookAlike("o", "near"), LookAlike("n")),
    neighbours=(Neighbour("of", "a line"),),
    change=(
        ChangeTemplate(
            BOTH,
            "a > 1",
            BOTH,
            "code",
            (EditTemplate("made", 1, "name", "was", "to", "append", "line"),),
            BOTH,
            True,
            ("edit",),
            9,
        ),
    ),
    needs=Needs(True, 2, "600 MiB", "<2.0", ">=3.10", ("numpy", "pillow"), "linux", True, "8.0", 30.5),
    facts=(FactRule("a < 1", "against", BOTH),),
    no_repro=Bilingual("none", "没有"),
    folder="some/folder",
)
BARE = Pitfall("i", "c", BOTH, "error", "crash", {}, BOTH, BOTH, BOTH, ())


def through_json(entry: Pitfall) -> Pitfall:
    return from_data(Pitfall, json.loads(json.dumps(as_data(entry), ensure_ascii=False)))


@pytest.mark.parametrize("name", Pitfall._fields)
def test_each_field_is_read_back(name: str) -> None:
    for entry in (WHOLE, BARE, MEMORY):
        assert getattr(through_json(entry), name) == getattr(entry, name)
    assert getattr(WHOLE, name) != getattr(BARE, name) or name in ("id", "category", "title")


# what is written and read


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = open_store(
        tmp_path,
        NAN,
        MEMORY,
        renamed={"older": "old", "old": "loss-is-nan", "gone": "nowhere", "self": "self"},
    )
    yield made
    made.db.close()


def test_the_entries_come_back(store: Store) -> None:
    assert store.pitfall("gpu-out-of-memory") == MEMORY
    assert store.pitfall("loss-is-nan") == NAN
    assert store.pitfall("loss-is-nan") is store.pitfall("loss-is-nan")
    with pytest.raises(KeyError, match="absent"):
        store.pitfall("absent")


def test_ids_sorted_and_as_compiled(store: Store) -> None:
    assert store.ids() == ["gpu-out-of-memory", "loss-is-nan"]
    assert store.words._entries == ["loss-is-nan", "gpu-out-of-memory"]


@pytest.mark.parametrize(
    ("id", "wanted"),
    [
        ("loss-is-nan", "loss-is-nan"),
        ("old", "loss-is-nan"),
        ("older", "loss-is-nan"),
        ("gone", None),
        ("self", None),
        ("absent", None),
    ],
)
def test_a_renamed_entry_is_found(store: Store, id: str, wanted: str | None) -> None:
    assert store.resolve(id) == wanted


def test_signatures_as_they_are_searched(store: Store) -> None:
    patterns = [spaced(signature.pattern) for signature in (*NAN.signatures, *MEMORY.signatures)]
    assert [row[2] for row in store.wordings.all.rows] == patterns
    assert [row[:2] for row in store.wordings.all.rows] == [
        ("loss-is-nan", 0),
        ("gpu-out-of-memory", 0),
        ("gpu-out-of-memory", 1),
    ]
    assert [row[3] for row in store.wordings.all.rows] == [None, None, r"cublas(?:Create|Destroy)"]
    assert [row[4] for row in store.wordings.all.rows] == [required_literals(pattern) for pattern in patterns]


def test_a_signature_without_literals(tmp_path: Path) -> None:
    made = open_store(tmp_path, NAN._replace(signatures=(Signature(r"\d\d", "12"),)))
    assert made.wordings.all.rows == [("loss-is-nan", 0, r"\d\d", None, (), (), "")]
    made.db.close()


def test_passages_and_lines(store: Store) -> None:
    every = list(all_passages({NAN.id: NAN, MEMORY.id: MEMORY}))
    assert store.passages() == [(at, p.entry, p.field, p.lang, p.text) for at, p in enumerate(every, 1)]
    owners = [store.words._entries.index(p.entry) for p in every if p.field in ("title", "ask")]
    assert list(store.words._line_owners) == owners


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "knowledge.sqlite").write_bytes(b"no database" * 99)
    with pytest.raises(StoreError, match="run `torchwhy index`"):
        Store(tmp_path, {"fingerprint": "", "problems": [], "entries": 0})


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        Store(tmp_path / "absent", {"fingerprint": "", "problems": [], "entries": 0})


# from the files of a knowledge base


def test_the_files_that_knowledge_depends_on(tmp_path: Path) -> None:
    write_entry(tmp_path, "second", "b")
    write_entry(tmp_path, "first", "a")
    (tmp_path / "_template" / "x").mkdir(parents=True)
    (tmp_path / "README.md").write_text("x")
    found = list(knowledge_files([tmp_path]))
    wanted = [
        ".",
        "renamed.yaml",
        "languages.yaml",
        "witness.json",
        "questions.en.jsonl",
        "questions.zh.jsonl",
        "a/first",
        "a/first/pitfall.yaml",
        "a/first/edit.py",
        "a/first/asks.en.txt",
        "a/first/asks.zh.txt",
        "b/second",
        "b/second/pitfall.yaml",
        "b/second/edit.py",
        "b/second/asks.en.txt",
        "b/second/asks.zh.txt",
    ]
    assert [Path(path) for path in found] == [*(tmp_path / name for name in wanted), locations.documents()]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_entry(tmp_path / "kb", "made-up")
    write_entry(tmp_path / "kb", "broken", yaml="title: only")
    return tmp_path / "kb"


def test_compiled_once_and_again_after_a_change(cache: Path, root: Path) -> None:
    first = compiled_store([root])
    assert (first.ids(), first.count) == (["made-up"], 1)
    assert any("broken" in problem for problem in first.problems)
    script = root / "shapes" / "made-up" / "repro.py"
    script.write_text(script.read_text("utf-8") + "\n# a comment\n", "utf-8")
    second = compiled_store([root])
    assert (second.folder, second.fingerprint) == (first.folder, first.fingerprint)
    text = (KB / "_template" / "pitfall.yaml").read_text("utf-8").replace("kind: error", "kind: warning")
    (root / "shapes" / "made-up" / "pitfall.yaml").write_text(text, "utf-8")
    third = compiled_store([root])
    assert third.fingerprint != first.fingerprint
    assert third.pitfall("made-up").kind == "warning"
    file = root / "shapes" / "made-up" / "asks.zh.txt"
    file.write_text(file.read_text("utf-8") + "换成别的问法\n", "utf-8")
    fourth = compiled_store([root])
    assert fourth.fingerprint != third.fingerprint and fourth.digests() != third.digests()
    assert fourth.pitfall("made-up").asks["zh"][-1] == "换成别的问法"
    assert len(list(cache.glob("knowledge-*/knowledge.sqlite"))) == 3
    write_entry(root, "another")
    fifth = compiled_store([root])
    assert fifth.ids() == ["another", "made-up"]
    for store in (first, second, third, fourth, fifth):
        store.db.close()


def test_what_was_mended_beside_the_text_is_seen(cache: Path, root: Path) -> None:
    """A script that was missing, a file too many: the entry's own text stays as it was."""
    folder = root / "shapes" / "made-up"
    away = root.parent / "away.py"
    (folder / "repro.py").rename(away)
    for mend in (lambda: away.rename(folder / "repro.py"), lambda: (folder / "notes.md").unlink()):
        for wanted in ([], ["made-up"]):
            store = compiled_store([root])
            assert store.ids() == wanted
            store.db.close()
            if not wanted:
                mend()
        (folder / "notes.md").write_text("x")


def test_a_lost_folder_is_compiled_anew(cache: Path, root: Path) -> None:
    first = compiled_store([root])
    first.db.close()
    (first.folder / "meta.json").unlink()
    second = compiled_store([root])
    assert second.ids() == ["made-up"]
    second.db.close()


def test_without_a_cache_it_is_compiled_for_one_run(
    cache: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: Any) -> Path:
        raise cache_module.CacheError("no room")

    kept: list[Any] = []
    monkeypatch.setattr(cache_module, "build", refuse)
    monkeypatch.setattr("atexit.register", lambda *words: kept.append(words))
    store = compiled_store([root])
    assert store.ids() == ["made-up"]
    assert capsys.readouterr().err == "torchwhy: no room; compiled for this run only\n"
    ((remove, folder, quiet),) = kept
    store.db.close()
    remove(folder, quiet)
    assert not store.folder.exists()


def test_a_store_is_read_only(store: Store) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store.db.execute("DELETE FROM entry")
