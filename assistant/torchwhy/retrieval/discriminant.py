"""A linear discriminant over entries, from the passages' own vectors: which entry's passages a question's
vector is like, with the directions in which passages differ *within* entries counted for little. The centres
of foreign texts, where the adapter brings them, stand beside the entries as classes of their own: how much a
text is like something else.

Closed form (pooled within-entry covariance, shrunk towards a multiple of the identity), so it is made in a
second at every build, is the same on every machine, and knows a team's own entries as well as the shipped
ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .class_statistics import Statistics

if TYPE_CHECKING:
    import numpy as np


SHRINK = 0.2  # share of the identity in the covariance; 0.1 to 0.35 are equally good
SCALE = 40.0  # what scores are divided by, so that they lie near one


def solve(statistics: Statistics, foreign: np.ndarray | None = None) -> np.ndarray:
    """Weights of shape (entries + centres, width + 1), float32; the last column is the offset.

    `foreign`: (centres, width), whose rows come last.
    """
    import numpy as np

    width = statistics.means.shape[1]
    spread = np.trace(statistics.covariance) / width or 1.0
    covariance = statistics.covariance * (1 - SHRINK)
    covariance[np.diag_indices(width)] += SHRINK * spread
    means = statistics.means if foreign is None else np.vstack([statistics.means, foreign])
    weights = np.linalg.solve(covariance, means.T).T
    offset = -0.5 * np.sum(weights * means, axis=1, keepdims=True)
    return np.hstack([weights, offset]).astype("float32")


class Discriminant:
    """The trained weights: `scores(vectors)` -> for each vector, entry -> score relative to the best (0 or
    less).
    """

    def __init__(self, ids: Sequence[str], weights: np.ndarray) -> None:
        self.ids, self.weights = list(ids), weights

    def scores(self, vectors: np.ndarray) -> list[tuple[Mapping[str, float], float]]:
        """For each vector: scores of the entries, divided by SCALE, rounded, the best one at zero; and by how
        much the nearest foreign centre stands above the best entry (negative: below), 0.0 where there is no
        such centre.
        """
        import numpy as np

        directions, offsets = self.weights[:, :-1], self.weights[:, -1]
        # not `@`: its threads go on spinning beside onnxruntime's, which doubled a question's CPU time
        raw = np.stack([np.einsum("ij,j->i", directions, vector) + offsets for vector in vectors]) / SCALE
        own, other = raw[:, : len(self.ids)], raw[:, len(self.ids) :]
        best = own.max(axis=1, keepdims=True)
        foreign = (other.max(axis=1) - best[:, 0]) if other.shape[1] else np.zeros(len(raw), "float32")
        rows = zip((own - best).round(4).tolist(), foreign.round(4).tolist(), strict=True)
        return [(dict(zip(self.ids, row, strict=True)), gap) for row, gap in rows]
