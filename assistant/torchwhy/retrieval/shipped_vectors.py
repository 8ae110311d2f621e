"""The shipped passages' vectors, in `data/shipped`: made once a release by `python -m
torchwhy.lab.make_vectors`, so that nobody embeds what everybody has. Text that they do not know (a team's
own entries, an edited one) is embedded here.

`passages.npz` holds, of the shipped knowledge's passages in their order, a key of each text and the sentence
vector as int8; `statistics.npz` what the discriminant is made of. Neither is compressed, so that one array is
read alone, and they are two files because git stores a file as what differs from its last version only where
less than half does: of the passages a release changes little, of the statistics every number.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

from torchwhy.embedding.model import Model
from torchwhy.runtime import locations

from .class_statistics import Statistics
from .store import PassageRow
from .tokens import VERSION as TOKENS_VERSION

if TYPE_CHECKING:
    import numpy as np

    Embed = Callable[[Sequence[str]], np.ndarray]

FORMAT = 1
KEY_BYTES = 8  # of the SHA-256 of a passage's text: no two of 12,000 texts meet by chance
CODE_MAX = 127
SCALE_STEP = 1.05
# Of the shipped passages, how many may be gone before everything is embedded anew: with a twentieth gone, 492
# of 500 texts still had the same first entry by the discriminant (one line edited in each of 20 entries:
# 500).
MAX_LOST_SHARE = 0.05


def path() -> Path:
    """The folder of the two files, in a checkout or in an installed package."""
    return locations.shipped("data")


def files(folder: Path) -> list[Path]:
    """The two files: of the passages, and of the statistics."""
    return [folder / "passages.npz", folder / "statistics.npz"]


def key_of(text: str) -> bytes:
    """What a passage's text is known by."""
    return hashlib.sha256(text.encode()).digest()[:KEY_BYTES]


@dataclass(frozen=True)
class Prepared:
    """All that an index holds.

    `codes` (passages, dimension) int8 times `scales` (dimension,) are the sentence vectors.
    """

    codes: np.ndarray
    scales: np.ndarray
    statistics: Statistics


def scales_of(vectors: np.ndarray) -> np.ndarray:
    """By column what a code is worth, float32: so much that the column's largest value has a code, rounded up
    to a power of SCALE_STEP, so that a few passages more or less leave all other codes as they are.
    """
    import numpy as np

    largest = np.abs(vectors).max(0) if len(vectors) else np.ones(vectors.shape[1])
    exact = np.where(largest == 0, 1, largest / CODE_MAX)
    steps = np.ceil(np.log(exact) / np.log(SCALE_STEP) - 1e-6)
    scales: np.ndarray = (SCALE_STEP**steps).astype("float32")
    return scales


def codes_of(vectors: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Vectors as int8 codes; a value beyond the column's largest is cut to it."""
    import numpy as np

    codes: np.ndarray = np.clip(np.rint(vectors / scales), -CODE_MAX, CODE_MAX).astype("int8")
    return codes


def prepared(vectors: np.ndarray, entries: Sequence[str], dimension: int) -> Prepared:
    """From whole vectors, (passages, width), of which the first `dimension` columns are the sentence
    vectors.
    """
    narrow = vectors[:, :dimension]
    scales = scales_of(narrow)
    return Prepared(codes_of(narrow, scales), scales, Statistics.of(vectors, entries))


class ShippedVectors:
    """The two files of a folder, opened; arrays are read when they are asked for."""

    def __init__(self, folder: Path) -> None:
        import numpy as np

        self._passages, self._statistics = (np.load(file) for file in files(folder))
        self.about: dict[str, Any] = json.loads(self._statistics["about"].tobytes())
        self.ids: list[str] = self.about["ids"]
        counts = self._statistics["counts"]
        if (len(self.ids), int(counts.sum())) != (len(counts), len(self._passages["keys"])):
            raise ValueError(f"{folder}: the files do not belong together")

    @cached_property
    def keys(self) -> list[bytes]:
        """The key of every passage's text."""
        packed = self._passages["keys"].tobytes()
        return [packed[start : start + KEY_BYTES] for start in range(0, len(packed), KEY_BYTES)]

    @cached_property
    def entries(self) -> list[str]:
        """The entry of every passage."""
        import numpy as np

        return list(np.repeat(self.ids, self._statistics["counts"]).tolist())

    def fits(self, rows: Sequence[PassageRow]) -> bool:
        """Whether these are the very passages that the file was made of."""
        return self.keys == [key_of(row[4]) for row in rows] and self.entries == [row[1] for row in rows]

    def prepared(self, rows: Sequence[PassageRow], embed: Embed) -> Prepared | None:
        """An index of these passages: what ships, what is new embedded, what is gone taken away.

        Own entries and further passages of shipped ones change the statistics exactly. A passage whose text
        is gone cannot be embedded again: its entry's remaining passages are, and the lost ones' statistics
        are estimated from what they leave (Statistics.of_lost). None where so much differs that embedding
        everything is better.
        """
        import numpy as np

        statistics = Statistics.unpacked(self.ids, self._statistics)
        codes, scales = self._passages["codes"], self._passages["scales"]
        if self.fits(rows):
            return Prepared(codes, scales, statistics)
        keys = [key_of(row[4]) for row in rows]
        ours = Counter(zip((row[1] for row in rows), keys, strict=True))
        theirs = Counter(zip(self.entries, self.keys, strict=True))
        added, lost = ours - theirs, theirs - ours
        losers = Counter(entry for entry, _ in lost.elements())
        kept = Counter({pair: count for pair, count in (ours & theirs).items() if pair[0] in losers})
        texts = {key: row[4] for key, row in zip(keys, rows, strict=True)}
        wanted = list(dict.fromkeys(key for _, key in [*added.elements(), *kept.elements()]))
        if lost.total() > MAX_LOST_SHARE * len(self.keys):
            return None
        fresh = embed([texts[key] for key in wanted])
        number_of = {key: number for number, key in enumerate(wanted)}

        def of(pairs: Counter[tuple[str, bytes]]) -> Statistics | None:
            each = list(pairs.elements())
            numbers = [number_of[key] for _, key in each]
            return Statistics.of(fresh[numbers], [entry for entry, _ in each]) if each else None

        if losers:
            statistics = statistics.without(statistics.of_lost(losers, of(kept)))
        more = of(added)
        statistics = statistics.added(more) if more else statistics
        shipped_rows = {key: number for number, key in enumerate(self.keys)}
        places = [shipped_rows[key] if key in shipped_rows else len(codes) + number_of[key] for key in keys]
        if wanted:
            narrow = fresh[:, : codes.shape[1]]
            wide_enough = np.maximum(scales, scales_of(narrow))
            if (wide_enough > scales).any():
                codes, scales = codes_of(codes * scales, wide_enough), wide_enough
            codes = np.vstack([codes, codes_of(narrow, scales)])
        return Prepared(codes[places], scales, statistics)


def open_shipped(model: Model) -> ShippedVectors | None:
    """The shipped vectors; None where there are none, or they were made by another encoder."""
    if not model.shipped:
        return None
    try:
        opened = ShippedVectors(path())
    except (OSError, EOFError, BadZipFile, ValueError, KeyError):
        return None  # a checkout without the files, or damaged ones: everything is embedded here
    made_by = (opened.about.get("format"), opened.about.get("encoder"), opened.about.get("tokens"))
    return opened if made_by == (FORMAT, model.fingerprint, TOKENS_VERSION) else None


def write(folder: Path, model: Model, rows: Sequence[PassageRow], made: Prepared) -> None:
    """Write the two files. `rows` lie by entry, in the order of the entries' ids."""
    import numpy as np

    entries = [row[1] for row in rows]
    if entries != sorted(entries):
        raise ValueError("the passages do not lie by entry")
    about = {
        "format": FORMAT,
        "encoder": model.fingerprint,
        "tokens": TOKENS_VERSION,
        "ids": made.statistics.ids,
    }
    keys = np.frombuffer(b"".join(key_of(row[4]) for row in rows), "uint8").reshape(-1, KEY_BYTES)
    folder.mkdir(parents=True, exist_ok=True)
    passages, statistics = files(folder)
    np.savez(passages, keys=keys, codes=made.codes, scales=made.scales)
    packed: dict[str, Any] = made.statistics.packed()
    np.savez(statistics, about=np.frombuffer(json.dumps(about).encode(), "uint8"), **packed)
