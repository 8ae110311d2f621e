"""Damaged caches heal: whatever byte of whatever built file changes, answers stay what they were, and the next start is
clean again. TORCHWHY_TEST_DAMAGES sets how many random damages are tried.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import write_entry
from torchwhy.embedding import shipped_encoder
from torchwhy.embedding.model import find_model
from torchwhy.retrieval import compile as compiling
from torchwhy.retrieval.build_vectors import open_vectors
from torchwhy.retrieval.compile import open_store
from torchwhy.runtime import cache as caching
from torchwhy.runtime import locations

DAMAGES = int(os.environ.get("TORCHWHY_TEST_DAMAGES", "40"))
QUERY = "the loss becomes nan"
SEED = 20
WIDTH = int(shipped_encoder.description()["width"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_entry(tmp_path / "kb", "made-up")
    return tmp_path / "kb"


def answers(root: Path) -> tuple[object, ...]:
    """What the compiled knowledge and the vectors say."""
    store = open_store([root])
    vectors = open_vectors(store, find_model(None))
    query = np.random.default_rng(SEED).normal(size=(1, WIDTH)).astype("float32")
    said = (
        {id: store.pitfall(id) for id in store.ids()},
        store.wordings.all.rows,
        store.passages(),
        store.words.search(QUERY),
        store.digests(),
        vectors.nearest(query),
        [(dict(scores), foreign) for scores, foreign in vectors.discriminant.scores(query)],
    )
    store.db.close()
    return said


def built_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")


def damage(path: Path, chance: random.Random) -> str:
    """Flip one bit, cut the file, empty it, or remove it."""
    content = bytearray(path.read_bytes())
    kind = chance.choice(["flip", "flip", "flip", "cut", "empty", "remove", "longer"])
    if kind == "flip" and content:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    elif kind == "cut":
        del content[chance.randrange(len(content) or 1) :]
    elif kind == "empty":
        content.clear()
    elif kind == "longer":
        content += b"\0" * 99
    path.write_bytes(content)
    if kind == "remove":
        path.unlink()
    return f"{kind} {path.name}"


def test_random_damage_heals(root: Path, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(SEED)
    whole = answers(root)
    for number in range(DAMAGES):
        capsys.readouterr()
        files = built_files(cache)
        assert len(files) >= 9
        done = damage(chance.choice(files), chance)
        if chance.random() < 0.3:
            done += ", " + damage(chance.choice(built_files(cache)), chance)
        assert answers(root) == whole, (number, done)
        lines = capsys.readouterr().err.splitlines()
        assert len(lines) <= 2, (number, done, lines)
        assert all("built anew" in line for line in lines), (number, done, lines)
        assert answers(root) == whole, (number, done)
        assert capsys.readouterr().err == "", (number, done)


def test_a_file_that_looks_whole_and_cannot_be_read(root: Path, cache: Path) -> None:
    """As a disk's own error would leave it: the seal fits, SQLite does not."""
    store = open_store([root])
    store.db.close()
    (store.folder / "knowledge.sqlite").write_bytes(b"no database" * 99)
    meta = {"fingerprint": store.fingerprint, "problems": [], "entries": 1}
    caching.write_meta(store.folder, meta, compiling.FORMAT)
    again = open_store([root])
    assert again.ids() == ["made-up"]
    again.db.close()


def test_a_copied_cache_is_taken_as_it_is(
    root: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store([root])
    store.db.close()
    copy = cache / "copy"
    shutil.copytree(store.folder, copy)
    before = (copy / "meta.json").read_text()
    assert caching.read_meta(copy, compiling.FORMAT)
    assert (copy / "meta.json").read_text() != before  # with the times of the copy: hashed once only
    hashed: list[Path] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(caching, "_hash_of", hashed.append)
        assert caching.read_meta(copy, compiling.FORMAT)
    assert not hashed
    assert not capsys.readouterr().err


def test_a_key_that_was_changed_is_forgotten(cache: Path) -> None:
    caching.remember("model", "k", "0123456789abcdef")
    path = cache / "keys" / "model-k"
    assert caching.remembered("model", "k") == "0123456789abcdef"
    path.write_bytes(path.read_bytes().replace(b"3", b"2", 1))
    assert caching.remembered("model", "k") is None


def test_a_full_disk_compiles_for_this_run(
    root: Path, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write, refused = compiling.write, []

    def full(path: Path, known: object) -> None:
        if path.is_relative_to(cache):
            refused.append(path)
            raise sqlite3.OperationalError("database or disk is full")
        write(path, known)  # type: ignore[arg-type]

    monkeypatch.setattr(compiling, "write", full)
    store = open_store([root])
    assert store.ids() == ["made-up"]
    store.db.close()
    (line,) = capsys.readouterr().err.splitlines()
    assert "disk is full" in line
    assert "compiled for this run only" in line
    assert refused
    assert not list(cache.glob("tmp-*"))


def test_a_note_on_a_full_disk_leaves_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        caching.remember("model", "k", "f")
    assert not list((cache / "keys").iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="Unix permissions")
def test_what_is_built_is_the_owner_s_alone(root: Path, tmp_path: Path, cache: Path) -> None:
    from torchwhy.chat.history import History

    History(tmp_path / "data" / "history.sqlite").begin("x")
    answers(root)
    made = [cache, *cache.rglob("*"), tmp_path / "data"]
    assert {path for path in made if stat.S_IMODE(path.stat().st_mode) & 0o077} == set()
    assert locations.cache_folder() == cache
