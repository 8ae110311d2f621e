"""The vectors of all passages and search among them, which looks at every one.

The only module that knows faiss.

A passage's sentence vector is kept as int8, one scale a column: cosines are off by 0.0005 (at most 0.0024),
and search among 12,000 takes a fifth of what it takes among float32 vectors, so that ten times the entries
cost little more.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchwhy.embedding.encoders import Encoder, question_encoder
from torchwhy.embedding.model import Model
from torchwhy.errors import StoreError
from torchwhy.runtime import cache
from torchwhy.text.plain import escaped

from . import discriminant
from .shipped_vectors import CODE_MAX, Prepared
from .tokens import for_meaning

if TYPE_CHECKING:
    import numpy as np


FORMAT = 6
FIELDS = ("title", "ask", "cause", "check", "example")
NEAREST = 400  # passages looked at per question; an entry has some 65
SEARCHED = 500  # passages searched for by rounded queries; of these the NEAREST by exact ones are taken


@dataclass(frozen=True, slots=True)
class Near:
    """Entries by nearness to one text: best cosine by field (in the order of FIELDS), the discriminant's
    scores, and how far the nearest foreign centre stands above the best entry. `vector`: the text's own.
    """

    cosines: Mapping[str, Sequence[float]]
    scores: Mapping[str, float]
    foreign: float
    vector: Sequence[float] = ()


class Vectors:
    """An index, opened: search over all passages, and the discriminant. `count`: the number of passages."""

    def __init__(self, folder: Path, model: Model) -> None:
        meta = cache.read_meta(folder, FORMAT)
        if meta is None:
            raise StoreError(f"{escaped(folder)} is not an index of this version; run `torchwhy index`")
        import numpy as np

        ids = json.loads((folder / "ids.json").read_text(encoding="utf-8"))
        self.ids: list[str] = ids
        # of each passage: its entry's number times the number of fields, plus its field's number
        self._cells = np.load(folder / "cells.npy")
        self._scales = np.load(folder / "scales.npy")
        self._codes = np.load(folder / "codes.npy")
        self._index = _index(self._codes)
        self.count = len(self._cells)
        self.discriminant = discriminant.Discriminant(ids, np.load(folder / "discriminant.npy"))
        self.model = model

    @cached_property
    def encoder(self) -> Encoder:
        """What makes a question's vector; may be set to another."""
        return question_encoder(self.model)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Questions (already distilled) -> float32, shape (len(texts), width), as `Encoder.encode` gives
        them.
        """
        return self.encoder.encode([for_meaning(text) for text in texts])

    def near(self, texts: Sequence[str]) -> list[Near]:
        """What the texts (distilled errors or questions) are near to."""
        if not texts:
            return []
        vectors = self.encode(texts)
        scored = self.discriminant.scores(vectors)
        found = zip(self.nearest(vectors), scored, vectors.tolist(), strict=True)
        return [Near(cosines, scores, foreign, own) for cosines, (scores, foreign), own in found]

    def nearest(self, vectors: np.ndarray) -> list[dict[str, list[float]]]:
        """For each vector: entry -> best cosine by field (in the order of FIELDS; 0 where nothing is
        near).
        """
        import numpy as np

        queries = vectors[:, : len(self._scales)] * self._scales
        # the index rounds a query's values to whole numbers of one byte, so they are spread over that range
        largest = np.abs(queries).max(1, keepdims=True)
        rounded = np.rint(queries * (CODE_MAX / np.where(largest == 0, 1, largest)))
        numbers = self._index.search(rounded, min(SEARCHED, self.count))[1]
        result = []
        for query, row in zip(queries, numbers, strict=True):
            near = row[row >= 0]  # -1 stands for no passage
            scores = np.einsum("ij,j->i", self._codes[near].astype("float32"), query)
            order = np.argsort(-scores, kind="stable")[:NEAREST]
            # best first, so the first passage of a cell is its best
            cells, first = np.unique(self._cells[near[order]], return_index=True)
            best: dict[str, list[float]] = {}
            for cell, score in zip(cells.tolist(), scores[order][first].tolist(), strict=True):
                entry, field = divmod(cell, len(FIELDS))
                best.setdefault(self.ids[entry], [0.0] * len(FIELDS))[field] = max(0.0, round(score, 5))
            result.append(best)
        return result


def save(
    folder: Path, made: Prepared, entries: Sequence[str], fields: Sequence[str], foreign: np.ndarray | None
) -> None:
    """Write an index of passages whose entries and fields these are."""
    import numpy as np

    ids = made.statistics.ids
    number_of = {id: number for number, id in enumerate(ids)}
    cells = [
        number_of[entry] * len(FIELDS) + FIELDS.index(field)
        for entry, field in zip(entries, fields, strict=True)
    ]
    np.save(folder / "cells.npy", np.array(cells, "int32"))
    np.save(folder / "codes.npy", made.codes)
    np.save(folder / "scales.npy", made.scales)
    np.save(folder / "discriminant.npy", discriminant.solve(made.statistics, foreign))
    (folder / "ids.json").write_text(json.dumps(ids), encoding="utf-8")


def _index(codes: np.ndarray) -> Any:
    """faiss's index of int8 codes, by inner product; of float32 where this faiss has none for signed codes
    (before 1.9).
    """
    import faiss

    faiss.omp_set_num_threads(1)
    width = codes.shape[1]
    kind = getattr(faiss.ScalarQuantizer, "QT_8bit_direct_signed", None)
    index: Any
    if kind is None:
        index = faiss.IndexFlatIP(width)
    else:
        index = faiss.IndexScalarQuantizer(width, kind, faiss.METRIC_INNER_PRODUCT)
    vectors = codes.astype("float32")
    index.train(vectors)
    index.add(vectors)
    return index
