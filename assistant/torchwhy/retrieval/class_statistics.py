"""What the discriminant is made of: each entry's number of passages, the mean of these and of the questions
that people asked about it, and the covariance within entries.

A release ships these statistics (some 5 MB) in place of every passage's whole vector (94 MB).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

QUESTION_WEIGHT = 4.0  # passages that a question counts for in its entry's mean; in others that fit: half
QUESTIONS_SHARE = 0.5  # of the covariance within entries that is theirs, who are told at length
SLICE_PASSAGES = 2048  # that are held in double precision at once


@dataclass(frozen=True)
class Statistics:
    """`counts` (entries,), `means` (entries, width), `covariance` (width, width): the mean over all passages
    of the outer product of their distance from their entry's mean. All are float64; `ids` is sorted and names
    the rows.
    """

    ids: list[str]
    counts: np.ndarray
    means: np.ndarray
    covariance: np.ndarray

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
        return cls(ids, counts, means, scatter / max(1, len(vectors)))

    def with_questions(self, vectors: np.ndarray, entries: Sequence[Sequence[str]]) -> Statistics:
        """Of these passages and of questions: `vectors` (questions, width), `entries` names those that answer
        each, the best first. A question whose best is not there is left out; `counts` stay the passages'.
        """
        import numpy as np

        position = {id: number for number, id in enumerate(self.ids)}
        mass, sums = self.counts.copy(), self.counts[:, None] * self.means
        distances = []
        for vector, (first, *others) in zip(vectors, entries, strict=True):
            if first not in position:
                continue
            distances.append(vector - self.means[position[first]])
            for entry in {first, *others} & position.keys():
                weight = QUESTION_WEIGHT * (1.0 if entry == first else 0.5)
                mass[position[entry]] += weight
                sums[position[entry]] += weight * vector
        if not distances:
            return self
        scatter = np.array(distances).T @ np.array(distances)
        alike = scatter * (np.trace(self.covariance) / np.trace(scatter))  # as much in all as passages have
        covariance = (1 - QUESTIONS_SHARE) * self.covariance + QUESTIONS_SHARE * alike
        return Statistics(self.ids, self.counts, sums / mass[:, None], covariance)

    def with_others(self, kept: Collection[str], others: Statistics | None) -> Statistics:
        """Of these entries the kept, beside all of the others; the covariance stays as it is, which a few
        entries would not change.
        """
        import numpy as np

        rows = {
            id: (self.counts[number], self.means[number]) for number, id in enumerate(self.ids) if id in kept
        }
        if others is not None:
            rows |= {
                id: (others.counts[number], others.means[number]) for number, id in enumerate(others.ids)
            }
        ids = sorted(rows)
        counts, means = zip(*(rows[id] for id in ids), strict=True)
        return Statistics(ids, np.array(counts), np.stack(means), self.covariance)

    def packed(self) -> dict[str, np.ndarray]:
        """As arrays for a file: means as float16; the covariance as deviations (float32) and the lower
        triangle of the correlations (float16). Rounding changes the discriminant's scores, which lie from 0
        to some -3, by up to 0.005.
        """
        import numpy as np

        deviations = np.sqrt(np.diag(self.covariance))
        safe = np.where(deviations == 0, 1, deviations)
        correlations = self.covariance / np.outer(safe, safe)
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
        covariance = np.zeros((width, width))
        for row in range(width):
            covariance[row, : row + 1] = triangle[start : start + row + 1]
            start += row + 1
        covariance += np.tril(covariance, -1).T
        covariance *= np.outer(deviations, deviations)
        return cls(list(ids), counts, arrays["means"].astype("float64"), covariance)
