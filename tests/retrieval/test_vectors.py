"""Vectors of passages. Oracle: cosines and the discriminant worked out anew (numpy), on a made encoder that
gives each text a vector of its own letters; nothing is loaded.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.made import MEMORY, NAN, open_store, other
from torchwhy.embedding.model import Model, shipped
from torchwhy.errors import StoreError
from torchwhy.retrieval import build_vectors, discriminant, vectors
from torchwhy.retrieval.build_vectors import VectorCache, index_name, open_vectors
from torchwhy.retrieval.class_statistics import Statistics
from torchwhy.retrieval.store import Store
from torchwhy.retrieval.tokens import for_meaning
from torchwhy.retrieval.vectors import FIELDS, FORMAT, Vectors
from torchwhy.runtime import cache as cache_module

MODEL = Model("made", "made/model", None, False)
WIDTH, DIMENSION = 6, 4


class MadeEncoder:
    """A vector of length one from the letters of a text, and two more columns."""

    name = "made"
    dimension = DIMENSION
    device = "cpu"
    made: list[MadeEncoder] = []

    def __init__(self, *_: Any, **__: Any) -> None:
        self.texts: list[str] = []
        MadeEncoder.made.append(self)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        raw = np.array(
            [[sum(map(ord, text[at::WIDTH])) % 89 + 1 for at in range(WIDTH)] for text in texts], "float32"
        )
        raw[:, :DIMENSION] /= np.linalg.norm(raw[:, :DIMENSION], axis=1, keepdims=True)
        raw[:, DIMENSION:] /= 89
        return raw


@pytest.fixture(autouse=True)
def nothing_real(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir()
    MadeEncoder.made = []
    monkeypatch.setattr(build_vectors, "TorchEncoder", MadeEncoder)
    monkeypatch.setattr(vectors, "question_encoder", MadeEncoder)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = open_store(tmp_path, MEMORY, NAN, other("shapes", "matrix shapes differ"))
    yield made
    made.db.close()


def encoded(texts: Sequence[str]) -> np.ndarray:
    return MadeEncoder().encode([for_meaning(text) for text in texts])


QUESTIONS = ["loss is nan", "matrix 3x4"]


def test_the_best_cosine_of_each_field(store: Store) -> None:
    opened = open_vectors(store, MODEL)
    passages = encoded([text for *_, text in store.passages()])[:, :DIMENSION]
    cosines = encoded(QUESTIONS)[:, :DIMENSION] @ passages.T
    wanted: list[dict[str, list[float]]] = []
    for row in cosines:
        best: dict[str, list[float]] = {}
        for score, (_, entry, field, _, _) in zip(row.tolist(), store.passages(), strict=True):
            fields = best.setdefault(entry, [0.0] * 5)
            fields[FIELDS.index(field)] = max(fields[FIELDS.index(field)], score)
        wanted.append(best)
    for near, best in zip(opened.near(QUESTIONS), wanted, strict=True):
        assert set(near.cosines) == set(best)
        for entry in best:
            assert near.cosines[entry] == pytest.approx(best[entry], abs=0.01)


def test_the_discriminant_is_of_the_whole_width(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = np.full((1, WIDTH), 0.5, "float32")
    monkeypatch.setattr(build_vectors.adapter, "foreign", lambda model: foreign)
    opened = open_vectors(store, MODEL)
    passages = encoded([text for *_, text in store.passages()])
    statistics = Statistics.of(passages, [row[1] for row in store.passages()])
    of = discriminant.Discriminant(statistics.ids, discriminant.solve(statistics, foreign))
    for near, (scores, gap) in zip(opened.near(QUESTIONS), of.scores(encoded(QUESTIONS)), strict=True):
        assert near.scores == pytest.approx(scores, abs=1e-3)
        assert near.foreign == pytest.approx(gap, abs=1e-3)
        assert gap != 0.0


def test_no_texts_need_no_encoder(store: Store) -> None:
    opened = open_vectors(store, MODEL)
    MadeEncoder.made = []
    assert opened.near([]) == []
    assert MadeEncoder.made == []
    assert opened.encoder is opened.encoder
    assert len(MadeEncoder.made) == 1


def test_only_the_nearest_passages_are_looked_at(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "NEAREST", 1)
    (near,) = open_vectors(store, MODEL).near(["loss"])
    assert sum(value > 0 for row in near.cosines.values() for value in row) == 1


def test_a_place_without_a_passage_is_passed_over(store: Store) -> None:
    opened = open_vectors(store, MODEL)

    class Short:
        def search(self, questions: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
            assert (questions.shape, count) == ((1, DIMENSION), len(store.passages()))
            assert np.abs(questions).max() == 127
            assert (questions == np.rint(questions)).all()
            return np.zeros((1, 3), "float32"), np.array([[1, 0, -1]])

    opened._index = Short()
    (found,) = opened.nearest(encoded(["x"]))
    (entry,) = found
    assert [value > 0 for value in found[entry]] == [True, True, False, False, False]  # its title and an ask


def test_built_once(store: Store, cache: Path) -> None:
    assert not (cache / index_name(store, MODEL)).exists()
    heard: list[tuple[str, int, int]] = []
    open_vectors(store, MODEL, progress=lambda *words: heard.append(words))
    count = len({for_meaning(text) for *_, text in store.passages()})
    assert heard == [
        ("loading the model", 0, 1),
        ("embedding passages on cpu", 0, count),
        ("embedding passages on cpu", count, count),
    ]
    meta = json.loads((cache / index_name(store, MODEL) / "meta.json").read_text())
    del meta["model_key"], meta["format"], meta["seal"]
    assert sorted(meta.pop("built")) == sorted(
        path.name
        for path in (cache / index_name(store, MODEL)).iterdir()
        if path.name not in ("meta.json", "used")
    )
    assert meta == {
        "model": "made",
        "passages": len(store.passages()),
        "embedded": count,
        "dimension": DIMENSION,
        "width": WIDTH,
        "device": "cpu",
        "knowledge": "made",
    }
    heard.clear()
    open_vectors(store, MODEL, progress=lambda *words: heard.append(words))
    assert heard == []


def test_an_unchanged_passage_keeps_its_vector(store: Store, cache: Path, tmp_path: Path) -> None:
    first = open_vectors(store, MODEL).near(QUESTIONS)
    (tmp_path / "more").mkdir()
    more = open_store(
        tmp_path / "more",
        MEMORY,
        NAN,
        other("shapes", "matrix shapes differ"),
        other("hooks", "a hook returns none"),
    )
    more.fingerprint = "more"
    MadeEncoder.made = []
    opened = open_vectors(more, MODEL)
    asked = {text for encoder in MadeEncoder.made for text in encoder.texts}
    old = {for_meaning(text) for *_, text in store.passages()}
    assert asked == {for_meaning(text) for *_, text in more.passages()} - old
    assert opened.count == len(more.passages())
    store.fingerprint = "again"  # nothing is missing now
    MadeEncoder.made = []
    again = open_vectors(store, MODEL)
    assert not any(encoder.texts for encoder in MadeEncoder.made)
    assert again.near(QUESTIONS) == first
    assert cache_module.read_meta(cache / index_name(store, MODEL), FORMAT)["device"] == "none"
    more.db.close()


def test_passages_are_embedded_in_slices(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = open_vectors(store, MODEL).near(QUESTIONS)
    monkeypatch.setattr(build_vectors, "SLICE", 4)
    VectorCache(MODEL).path.unlink()
    store.fingerprint = "again"
    heard: list[int] = []
    sliced = open_vectors(store, MODEL, progress=lambda _, done, __: heard.append(done)).near(QUESTIONS)
    count = len({for_meaning(text) for *_, text in store.passages()})
    assert heard == [0, *range(0, count, 4), count]  # the model is loaded first
    assert sliced == whole


def test_another_knowledge_or_model_has_another_name(store: Store) -> None:
    name = index_name(store, MODEL)
    assert index_name(store, Model("made", "another", None, False)) != name
    store.fingerprint = "another"
    assert index_name(store, MODEL) != name


def test_what_is_no_index_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not an index of this version"):
        Vectors(tmp_path, MODEL)


def maker(model: Model = MODEL, device: str | None = None) -> build_vectors.Maker:
    return build_vectors.Maker(model, device, lambda *_: None)


def test_which_encoder_embeds_passages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(maker()._encoder, MadeEncoder)
    monkeypatch.setattr(build_vectors.shipped_encoder, "ShippedEncoder", lambda: "shipped")
    assert maker(shipped())._encoder == "shipped"
    assert maker(shipped(), device="cpu")._encoder == "shipped"
    assert isinstance(maker(shipped(), device="cuda")._encoder, MadeEncoder)  # where it was asked for
    assert maker(shipped()).dimension == 384


def test_a_damaged_cache_is_an_empty_one(cache: Path) -> None:
    kept = VectorCache(MODEL)
    kept.path.write_bytes(b"no database" * 99)
    assert kept.read(["a"]) == {}
    kept.write({"a": np.array([1], "float32")})
    assert not kept.path.exists()
    kept.write({"a": np.array([1], "float32")})
    with closing(sqlite3.connect(kept.path)) as db, db:
        assert db.execute("SELECT hash FROM checked").fetchall() == [("a",)]
    db.close()
