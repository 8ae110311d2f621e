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
import itertools
import json
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

    from torchwhy.knowledge.questions import AskedQuestion

    Embed = Callable[[Sequence[str]], np.ndarray]

FORMAT = 1
KEY_BYTES = 8  # of the SHA-256 of a passage's text: no two of 12,000 texts meet by chance
CODE_MAX = 127
SCALE_STEP = 1.05
MAX_CHANGED_SHARE = 0.5  # of the shipped entries, beyond which everything is embedded anew


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

    def learnt(self, questions: Sequence[AskedQuestion]) -> bool:
        """Whether the statistics were made with these very questions."""
        return bool(self.about.get("questions") == _digest_of(questions))

    def prepared(self, rows: Sequence[PassageRow], embed: Embed) -> Prepared | None:
        """An index of these passages: of an entry that ships as it stands here what ships, of any other all
        passages embedded, without the questions that people asked about it. The covariance stays the shipped
        one, which a few entries would not change. None where so many entries differ that embedding everything
        is better.
        """
        import numpy as np

        statistics = Statistics.unpacked(self.ids, self._statistics)
        codes, scales = self._passages["codes"], self._passages["scales"]
        if self.fits(rows):
            return Prepared(codes, scales, statistics)
        keys, entries = [key_of(row[4]) for row in rows], [row[1] for row in rows]
        theirs, ours = _keys_of(self.entries, self.keys), _keys_of(entries, keys)
        kept = {entry for entry, known in theirs.items() if ours.get(entry) == known}
        if len(theirs) - len(kept) > MAX_CHANGED_SHARE * len(theirs):
            return None
        others = [number for number, entry in enumerate(entries) if entry not in kept]
        own = None
        if others:
            fresh = embed([rows[number][4] for number in others])
            narrow = fresh[:, : codes.shape[1]]
            wide_enough = np.maximum(scales, scales_of(narrow))
            if (wide_enough > scales).any():
                codes, scales = codes_of(codes * scales, wide_enough), wide_enough
            codes = np.vstack([codes, codes_of(narrow, scales)])
            own = Statistics.of(fresh, [entries[number] for number in others])
        statistics = statistics.with_others(kept, own)
        shipped_rows = {pair: number for number, pair in enumerate(zip(self.entries, self.keys, strict=True))}
        embedded = dict(zip(others, itertools.count(len(self.keys))))
        places = [
            embedded[number] if number in embedded else shipped_rows[pair]
            for number, pair in enumerate(zip(entries, keys, strict=True))
        ]
        return Prepared(codes[places], scales, statistics)


def _digest_of(questions: Sequence[AskedQuestion]) -> str:
    return hashlib.sha256(json.dumps(questions).encode()).hexdigest()[:16]


def _keys_of(entries: Sequence[str], keys: Sequence[bytes]) -> dict[str, list[bytes]]:
    """The keys of each entry's passages, sorted."""
    found: dict[str, list[bytes]] = {}
    for entry, key in sorted(zip(entries, keys, strict=True)):
        found.setdefault(entry, []).append(key)
    return found


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


def write(
    folder: Path, model: Model, rows: Sequence[PassageRow], questions: Sequence[AskedQuestion], made: Prepared
) -> None:
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
        "questions": _digest_of(questions),
    }
    keys = np.frombuffer(b"".join(key_of(row[4]) for row in rows), "uint8").reshape(-1, KEY_BYTES)
    folder.mkdir(parents=True, exist_ok=True)
    passages, statistics = files(folder)
    np.savez(passages, keys=keys, codes=made.codes, scales=made.scales)
    packed: dict[str, Any] = made.statistics.packed()
    np.savez(statistics, about=np.frombuffer(json.dumps(about).encode(), "uint8"), **packed)
