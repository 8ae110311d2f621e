"""What the discriminant is made of: each entry's number of passages and their mean, and the scatter within
entries.

With them passages are added and taken away without the vectors of all the others, so a release ships these
statistics (some 5 MB) in place of every passage's whole vector (94 MB).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

SLICE_PASSAGES = 2048  # that are held in double precision at once


@dataclass(frozen=True)
class Statistics:
    """`counts` (entries,), `means` (entries, width), `scatter` (width, width): the sum over all passages of
    the outer product of their distance from their entry's mean. All are float64; `ids` is sorted and names
    the rows.
    """

    ids: list[str]
    counts: np.ndarray
    means: np.ndarray
    scatter: np.ndarray

    @classmethod
    def of(cls, vectors: np.ndarray, entries: Sequence[str]) -> Statistics:
        """Of these passages: `vectors` (passages, width), `entries` names the entry of each."""
        import numpy as np

        ids = sorted(set(entries))
        position = {id: number for number, id in enumerate(ids)}
        owner = np.array([position[id] for id in entries], "int64")
        width = vectors.shape[1]
        counts = np.bincount(owner, minlength=len(ids)).astype("float64")
        means = np.zeros((len(ids), width))
        np.add.at(means, owner, vectors)
        means /= counts[:, None]
        scatter = np.zeros((width, width))
        for start in range(0, len(vectors), SLICE_PASSAGES):
            part = slice(start, start + SLICE_PASSAGES)
            distances = vectors[part].astype("float64") - means[owner[part]]
            scatter += distances.T @ distances
        return cls(ids, counts, means, scatter)

    def added(self, other: Statistics) -> Statistics:
        """With the passages of `other` as well."""
        return self._changed(other, 1)

    def without(self, other: Statistics) -> Statistics:
        """Without the passages of `other`, which must be among these; an entry that loses all is left out."""
        return self._changed(other, -1)

    def _changed(self, other: Statistics, sign: int) -> Statistics:
        """The parallel form of the variance (Chan, Golub and LeVeque, 1979): exact but for rounding."""
        import numpy as np

        counts = dict(zip(self.ids, self.counts.tolist(), strict=True))
        means = dict(zip(self.ids, self.means, strict=True))
        scatter = self.scatter + sign * other.scatter
        for id, number, mean in zip(other.ids, other.counts.tolist(), other.means, strict=True):
            old, more = counts.get(id, 0.0), sign * number
            total = old + more
            if total <= 0:
                counts.pop(id, None)
                means.pop(id, None)
            elif old == 0:
                counts[id], means[id] = more, mean
            else:
                apart = mean - means[id]
                scatter += old * more / total * np.outer(apart, apart)
                counts[id], means[id] = total, means[id] + apart * (more / total)
        ids = sorted(counts)
        return Statistics(
            ids, np.array([counts[id] for id in ids]), np.stack([means[id] for id in ids]), scatter
        )

    def of_lost(self, counts: Mapping[str, int], kept: Statistics | None) -> Statistics:
        """An estimate of the statistics of passages that are among these and whose vectors cannot be made any
        more.

        `counts`: how many each entry lost; `kept`: the statistics of what those entries keep. The lost ones'
        mean follows from the entry's and the kept ones'; their scatter about that mean, which nothing tells,
        is taken to be what passages scatter within entries on average. So one lost passage is exact but for
        rounding, and of k lost ones k - 1 average passages are taken away.
        """
        import numpy as np

        ids = sorted(counts)
        position = {id: number for number, id in enumerate(self.ids)}
        kept_rows = {id: number for number, id in enumerate(kept.ids)} if kept else {}
        means = []
        for id in ids:
            number = position[id]
            total = self.means[number] * self.counts[number]
            if kept is not None and id in kept_rows:
                total = total - kept.means[kept_rows[id]] * kept.counts[kept_rows[id]]
            means.append(total / counts[id])
        lost = np.array([float(counts[id]) for id in ids])
        average = self.scatter / max(1.0, self.counts.sum() - len(self.ids))
        return Statistics(ids, lost, np.stack(means), average * (lost - 1).sum())

    def packed(self) -> dict[str, np.ndarray]:
        """As arrays for a file: means as float16; the scatter as deviations (float32) and the lower triangle
        of the correlations (float16). Rounding changes the discriminant's scores, which lie from 0 to some
        -3, by up to 0.005.
        """
        import numpy as np

        covariance = self.scatter / self.counts.sum()
        deviations = np.sqrt(np.diag(covariance))
        safe = np.where(deviations == 0, 1, deviations)
        correlations = covariance / np.outer(safe, safe)
        return {
            "counts": self.counts.astype("uint32"),
            "means": self.means.astype("float16"),
            "deviations": deviations.astype("float32"),
            "correlations": correlations[np.tril_indices(len(safe))].astype("float16"),
        }

    @classmethod
    def unpacked(cls, ids: Sequence[str], arrays: Mapping[str, np.ndarray]) -> Statistics:
        """From what `packed` gave."""
        import numpy as np

        counts = arrays["counts"].astype("float64")
        deviations = arrays["deviations"].astype("float64")
        triangle = arrays["correlations"].astype("float64")
        width, start = len(deviations), 0
        scatter = np.zeros((width, width))
        for row in range(width):
            scatter[row, : row + 1] = triangle[start : start + row + 1]
            start += row + 1
        scatter += np.tril(scatter, -1).T
        scatter *= np.outer(deviations, deviations) * counts.sum()
        return cls(list(ids), counts, arrays["means"].astype("float64"), scatter)
