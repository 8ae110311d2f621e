"""Building the vectors of all passages, with a cache by the hash of each text."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.embedding import adapter, shipped_encoder
from torchwhy.embedding.encoders import FORMAT as ENCODER_FORMAT
from torchwhy.embedding.encoders import Encoder, TorchEncoder
from torchwhy.embedding.model import Model
from torchwhy.errors import StoreError
from torchwhy.runtime import cache, locations
from torchwhy.runtime.interrupts import Interrupts

from .shipped_vectors import Prepared, open_shipped, prepared
from .shipped_vectors import files as shipped_files
from .shipped_vectors import path as shipped_path
from .store import Store
from .tokens import VERSION as TOKENS_VERSION
from .tokens import for_meaning
from .vectors import FORMAT, Vectors, save

if TYPE_CHECKING:
    import numpy as np


Progress = Callable[[str, int, int], None]
# Passages embedded between two looks at the progress bar; each slice is kept even if the build is killed
SLICE = 512


def index_name(store: Store, model: Model) -> str:
    """The cache folder of this knowledge's index by this model."""
    shipped = cache.stat_key(shipped_files(shipped_path())) if model.shipped else ""
    key = f"{store.fingerprint} {adapter.key(model)} {TOKENS_VERSION} {FORMAT} {ENCODER_FORMAT} {shipped}"
    return "index-" + hashlib.sha256(key.encode()).hexdigest()[:16]


def open_vectors(
    store: Store,
    model: Model,
    *,
    device: str | None = None,
    progress: Progress | None = None,
) -> Vectors:
    """Open the index of these passages, building what is missing. Raises ModelError, StoreError.

    `device`: where passages are embedded; None: the CPU, for another model a GPU if there is one.
    `progress(what, done, total)` hears of the build.
    """
    name = index_name(store, model)
    folder = locations.cache_folder() / name
    if cache.read_meta(folder, FORMAT) is not None:
        try:
            return Vectors(folder, model)
        except (OSError, ValueError, EOFError, RuntimeError):  # it looks whole and cannot be read
            cache.discard(folder)
    if cache.read_meta(folder, FORMAT) is None:
        with Interrupts() as interrupts:

            def say(what: str, done: int, total: int) -> None:
                interrupts.check()
                if progress:
                    progress(what, done, total)

            try:
                folder = cache.build(name, FORMAT, lambda work: _build(work, store, model, device, say))
            except cache.CacheError as error:
                raise StoreError(str(error)) from error
    return Vectors(folder, model)


def _build(
    work: Path,
    store: Store,
    model: Model,
    device: str | None,
    progress: Progress,
) -> dict[str, Any]:
    rows = store.passages()
    entries = [row[1] for row in rows]
    maker = Maker(model, device, progress)
    shipped = open_shipped(model)
    made = shipped.prepared(rows, maker.embed) if shipped else None
    if made is None:
        made = embedded(maker, store)
    save(work, made, entries, [row[2] for row in rows], adapter.foreign(model))
    return {
        "model": model.name,
        "model_key": adapter.key(model),
        "passages": len(rows),
        "embedded": maker.embedded,
        "dimension": int(made.codes.shape[1]),
        "width": int(made.statistics.means.shape[1]),
        "device": maker.where,
        "knowledge": store.fingerprint,
    }


def embedded(maker: Maker, store: Store) -> Prepared:
    """All that an index of a store holds, every text embedded where it was not before."""
    rows, questions = store.passages(), store.questions()
    made = prepared(maker.embed([row[4] for row in rows]), [row[1] for row in rows], maker.dimension)
    asked = maker.embed([question.text for question in questions])
    entries = [question.entries for question in questions]
    return replace(made, statistics=made.statistics.with_questions(asked, entries))


class Maker:
    """Gives passages their vectors: kept ones where they are known, else made, and kept.

    `where`: the device that made them, "none" where nothing was made; `embedded`: how many were made.
    """

    def __init__(self, model: Model, device: str | None, progress: Progress) -> None:
        self.model, self.where, self.embedded = model, "none", 0
        self._device, self._progress = device, progress

    @cached_property
    def _encoder(self) -> Encoder:
        if self.model.shipped and self._device in (None, "cpu"):
            return shipped_encoder.ShippedEncoder()
        self._progress("loading the model", 0, 1)
        return TorchEncoder(self.model, self._device)

    @property
    def dimension(self) -> int:
        """Columns of a sentence vector."""
        if self.model.shipped:
            return int(shipped_encoder.description()["dimension"])
        return self._encoder.dimension

    def embed(self, passages: Sequence[str]) -> np.ndarray:
        """Passages -> float32 array of shape (len(passages), width)."""
        import numpy as np

        texts = [for_meaning(text) for text in passages]
        hashes = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
        kept = VectorCache(self.model)
        vectors = kept.read(hashes)
        missing = {key: text for key, text in zip(hashes, texts, strict=True) if key not in vectors}
        if missing:
            encoder = self._encoder
            self.where = getattr(encoder, "device", "cpu")
            what = f"embedding passages on {self.where}"
            # similar lengths together: little padding
            order = sorted(missing, key=lambda key: len(missing[key]))
            for start in range(0, len(order), SLICE):
                self._progress(what, start, len(order))
                part = order[start : start + SLICE]
                fresh = dict(zip(part, encoder.encode([missing[key] for key in part]), strict=True))
                kept.write(fresh)
                vectors.update(fresh)
            self._progress(what, len(order), len(order))
            self.embedded += len(order)
        return np.stack([vectors[key] for key in hashes]) if hashes else np.zeros((0, 0), "float32")


CHECK_BYTES = 8
MAX_ASKED = 500  # hashes in one statement


class VectorCache:
    """Vectors by the hash of their text, one file per model: one edited entry re-embeds only itself."""

    def __init__(self, model: Model) -> None:
        self.path = locations.cache_folder() / f"vectors-{adapter.key(model)}-{ENCODER_FORMAT}.sqlite"

    def read(self, hashes: Sequence[str]) -> dict[str, np.ndarray]:
        import numpy as np

        if not self.path.exists():
            return {}
        rows: dict[str, bytes] = {}
        try:
            with sqlite3.connect(self.path) as db:
                for start in range(0, len(hashes), MAX_ASKED):
                    part = hashes[start : start + MAX_ASKED]
                    marks = ",".join("?" * len(part))
                    rows.update(db.execute(f"SELECT hash, vector FROM checked WHERE hash IN ({marks})", part))
        except sqlite3.Error:
            return {}  # a damaged cache is only a slower build
        return {
            key: np.frombuffer(value[:-CHECK_BYTES], "float32")
            for key, value in rows.items()
            if isinstance(value, bytes) and value[-CHECK_BYTES:] == _check_of(key, value[:-CHECK_BYTES])
        }

    def write(self, vectors: dict[str, np.ndarray]) -> None:
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            with sqlite3.connect(self.path) as db:
                db.execute("CREATE TABLE IF NOT EXISTS checked (hash TEXT PRIMARY KEY, vector BLOB)")
                packed = [(key, value.tobytes()) for key, value in vectors.items()]
                db.executemany(
                    "INSERT OR REPLACE INTO checked VALUES (?,?)",
                    [(key, value + _check_of(key, value)) for key, value in packed],
                )
        except (OSError, sqlite3.Error):
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)


def _check_of(key: str, vector: bytes) -> bytes:
    """What follows a kept vector, so that a damaged one is made again."""
    return hashlib.sha256(key.encode() + vector).digest()[:CHECK_BYTES]
