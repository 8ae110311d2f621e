"""The vectors of all passages and exact search among them. The only module that knows faiss.

Built once per knowledge and model; a passage that did not change keeps its vector (cached by the hash of its text).
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import adapter, cache, discriminant, locations
from .encoder import FORMAT as ENCODER_FORMAT
from .encoder import Encoder, OnnxEncoder, TorchEncoder, export, exported_folder, question_encoder
from .errors import ModelError, StoreError
from .interrupts import Interrupts
from .model import Model
from .normalise import VERSION as NORMALISER
from .normalise import for_meaning
from .store import Store

if TYPE_CHECKING:
    import numpy as np

FORMAT = 5
FIELDS = ("title", "ask", "cause", "check", "example")
SLICE = 512  # passages embedded between two looks at the progress bar; each slice is kept even if the build is killed
NEAREST = 400  # passages looked at per question; an entry has some 25


@dataclass(frozen=True, slots=True)
class Near:
    """Entries by nearness to one text: best cosine by field (in the order of FIELDS), the discriminant's scores, and how far
    the nearest foreign centre stands above the best entry.
    """

    cosines: Mapping[str, Sequence[float]]
    scores: Mapping[str, float]
    foreign: float


class Vectors:
    """Exact search over passages. `entries[i]`, `fields[i]`: what passage i belongs to."""

    def __init__(self, folder: Path, model: Model) -> None:
        meta = cache.read_meta(folder, FORMAT)
        if meta is None:
            raise StoreError(f"{folder} is not an index of this version; run `torchwhy index`")
        import faiss

        faiss.omp_set_num_threads(1)
        self.index = faiss.read_index(str(folder / "passages.faiss"))
        rows = json.loads((folder / "passages.json").read_text(encoding="utf-8"))
        self.entries: list[str] = rows["entries"]
        self.fields: list[int] = rows["fields"]
        self.discriminant = discriminant.Discriminant.load(folder / "discriminant.npy", rows["ids"])
        self.model = model
        self._encoder: Encoder | None = None

    @property
    def encoder(self) -> Encoder:
        if self._encoder is None:
            self._encoder = question_encoder(self.model)
        return self._encoder

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Questions (already distilled) -> float32, shape (len(texts), width), as `Encoder.encode` gives them."""
        return self.encoder.encode([for_meaning(text) for text in texts])

    def near(self, texts: Sequence[str]) -> list[Near]:
        """What the texts (distilled errors or questions) are near to."""
        if not texts:
            return []
        vectors = self.encode(texts)
        found = zip(self.nearest(vectors), self.discriminant.scores(vectors), strict=True)
        return [Near(cosines, scores, foreign) for cosines, (scores, foreign) in found]

    def nearest(self, vectors: np.ndarray) -> list[dict[str, list[float]]]:
        """For each vector: entry -> best cosine by field (in the order of FIELDS; 0 where nothing is near)."""
        count = min(NEAREST, self.index.ntotal)
        scores, numbers = self.index.search(vectors[:, : self.index.d].copy(), count)
        result = []
        for row_scores, row_numbers in zip(scores.tolist(), numbers.tolist(), strict=True):
            best: dict[str, list[float]] = {}
            for score, number in zip(row_scores, row_numbers, strict=True):
                if number < 0:
                    continue
                fields = best.setdefault(self.entries[number], [0.0] * len(FIELDS))
                at = self.fields[number]
                if score > fields[at]:
                    fields[at] = round(score, 5)
            result.append(best)
        return result


def index_name(store: Store, model: Model) -> str:
    key = f"{store.fingerprint} {adapter.key(model)} {NORMALISER} {FORMAT} {ENCODER_FORMAT}"
    return "index-" + hashlib.sha256(key.encode()).hexdigest()[:16]


def is_built(store: Store, model: Model) -> bool:
    return cache.read_meta(locations.cache_folder() / index_name(store, model), FORMAT) is not None


def open_vectors(store: Store, model: Model, *, device: str | None = None, progress: Callable[[str, int, int], None] | None = None) -> Vectors:
    """Open the index of these passages, building what is missing. Raises ModelError, StoreError.

    `progress(what, done, total)` hears of the build.
    """
    name = index_name(store, model)
    folder = locations.cache_folder() / name
    if cache.read_meta(folder, FORMAT) is None:
        with Interrupts() as interrupts:

            def say(what: str, done: int, total: int) -> None:
                interrupts.check()
                if progress:
                    progress(what, done, total)

            folder = cache.build(name, FORMAT, lambda work: _build(work, store, model, device, say))
    return Vectors(folder, model)


def _build(work: Path, store: Store, model: Model, device: str | None, progress: Callable[[str, int, int], None]) -> dict[str, Any]:
    import faiss
    import numpy as np

    rows = store.passages()
    texts = [for_meaning(text) for *_, text in rows]
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    vector_cache = VectorCache(model)
    known = vector_cache.read(hashes)
    missing = [at for at, key in enumerate(hashes) if key not in known]
    encoder: TorchEncoder | None = None
    if cache.read_meta(exported_folder(model), ENCODER_FORMAT) is None:
        progress("loading the model", 0, 1)
        encoder = TorchEncoder(model, device)
        progress("exporting the encoder", 0, 1)
        _export(model, encoder)
        progress("exporting the encoder", 1, 1)
    where = "none"
    if missing:
        maker, where = _maker(model, device, encoder)
        what = f"embedding passages on {where}"
        missing.sort(key=lambda at: len(texts[at]))  # similar lengths together: little padding
        for start in range(0, len(missing), SLICE):
            progress(what, start, len(missing))
            part = missing[start : start + SLICE]
            fresh = maker.encode([texts[at] for at in part])
            vector_cache.write({hashes[at]: fresh[row] for row, at in enumerate(part)})
            known.update({hashes[at]: fresh[row] for row, at in enumerate(part)})
        progress(what, len(missing), len(missing))
    vectors = np.stack([np.asarray(known[key], "float32") for key in hashes])
    exported = cache.read_meta(exported_folder(model), ENCODER_FORMAT)
    dimension: int = encoder.dimension if encoder else (exported or {})["dimension"]
    index = faiss.IndexFlatIP(dimension)
    index.add(np.ascontiguousarray(vectors[:, :dimension]))
    faiss.write_index(index, str(work / "passages.faiss"))
    entries, fields = [row[1] for row in rows], [FIELDS.index(row[2]) for row in rows]
    ids, weights = discriminant.train(vectors, entries, adapter.foreign(model))
    discriminant.save(work / "discriminant.npy", weights)
    (work / "passages.json").write_text(json.dumps({"entries": entries, "fields": fields, "ids": ids}), encoding="utf-8")
    return {
        "model": model.name, "model_key": adapter.key(model), "passages": len(rows), "embedded": len(missing),
        "dimension": dimension, "width": int(vectors.shape[1]), "device": where, "knowledge": store.fingerprint,
    }  # fmt: skip


def _maker(model: Model, device: str | None, encoder: TorchEncoder | None) -> tuple[Encoder, str]:
    """What embeds passages, and where. On a GPU sentence-transformers; without one the exported encoder, which is several
    times as fast on a CPU, gives the same vectors (checked at export) and needs no torch.
    """
    from . import gpus

    wanted = device or ("cuda" if (encoder.device if encoder else "cpu").startswith("cuda") or gpus.read().gpus else "cpu")
    if wanted == "cpu" and cache.read_meta(exported_folder(model), ENCODER_FORMAT) is not None:
        return OnnxEncoder(exported_folder(model)), "cpu"
    encoder = encoder or TorchEncoder(model, device)
    return encoder, encoder.device


def _export(model: Model, encoder: TorchEncoder) -> None:
    """Export once per model. A model that cannot be exported goes on with sentence-transformers, and says so."""
    import os
    import shutil
    import tempfile

    target = exported_folder(model)
    work = Path(tempfile.mkdtemp(prefix=f"tmp-{os.getpid()}-", dir=target.parent))
    try:
        meta = export(model, encoder, work)
        (work / "meta.json").write_text(json.dumps(meta, indent=1, sort_keys=True), encoding="utf-8")
        if target.exists():
            shutil.rmtree(target)
        os.replace(work, target)
    except (ModelError, OSError) as error:
        print(f"torchwhy: {error}; questions will load the model itself, which is slower", file=sys.stderr)
    finally:
        shutil.rmtree(work, ignore_errors=True)


class VectorCache:
    """Vectors by the hash of their text, one file per model: one edited entry re-embeds only itself."""

    def __init__(self, model: Model) -> None:
        self.path = locations.cache_folder() / f"vectors-{adapter.key(model)}-{ENCODER_FORMAT}.sqlite"

    def read(self, hashes: Sequence[str]) -> dict[str, np.ndarray]:
        import numpy as np

        if not self.path.exists():
            return {}
        try:
            with sqlite3.connect(self.path) as db:
                rows = dict(db.execute("SELECT hash, vector FROM vector"))
        except sqlite3.Error:
            return {}  # a damaged cache is only a slower build
        return {key: np.frombuffer(rows[key], "float32") for key in hashes if key in rows}

    def write(self, vectors: dict[str, np.ndarray]) -> None:
        try:
            with sqlite3.connect(self.path) as db:
                db.execute("CREATE TABLE IF NOT EXISTS vector (hash TEXT PRIMARY KEY, vector BLOB)")
                db.executemany("INSERT OR REPLACE INTO vector VALUES (?,?)", [(key, value.tobytes()) for key, value in vectors.items()])
        except sqlite3.Error:
            self.path.unlink(missing_ok=True)
