"""A linear discriminant over entries, from the passages' own vectors: which entry's passages a question's vector is like,
with the directions in which passages differ *within* entries counted for little. The centres of foreign texts, where the
adapter brings them, stand beside the entries as classes of their own: how much a text is like something else.

Closed form (pooled within-entry covariance, shrunk towards a multiple of the identity), so it is made in seconds at every build,
is the same on every machine, and knows a team's own entries as well as the shipped ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

SHRINK = 0.2  # share of the identity in the covariance; 0.1 to 0.35 are equally good
SCALE = 40.0  # what scores are divided by, so that they lie near one
CHUNK = 2048  # passages that are held in double precision at once


def train(vectors: np.ndarray, entries: Sequence[str], foreign: np.ndarray | None = None) -> tuple[list[str], np.ndarray]:
    """(entries in the order of the rows, weights of shape (entries + centres, width + 1)); the last column is the offset.

    `vectors`: (passages, width); `foreign`: (centres, width), whose rows come last.
    """
    import numpy as np

    ids = sorted(set(entries))
    position = {id: at for at, id in enumerate(ids)}
    owner = np.array([position[id] for id in entries])
    width = vectors.shape[1]
    means = np.zeros((len(ids), width))
    np.add.at(means, owner, vectors)
    means /= np.bincount(owner, minlength=len(ids))[:, None]
    covariance = np.zeros((width, width))
    for start in range(0, len(vectors), CHUNK):
        part = slice(start, start + CHUNK)
        inside = vectors[part].astype("float64") - means[owner[part]]
        covariance += inside.T @ inside
    covariance /= max(1, len(vectors))
    spread = np.trace(covariance) / width or 1.0
    covariance = (1 - SHRINK) * covariance + SHRINK * spread * np.eye(width)
    if foreign is not None:
        means = np.vstack([means, foreign])
    weights = np.linalg.solve(covariance, means.T).T
    offset = -0.5 * np.sum(weights * means, axis=1, keepdims=True)
    return ids, np.hstack([weights, offset]).astype("float32")


def save(path: Path, weights: np.ndarray) -> None:
    import numpy as np

    np.save(path, weights)


class Discriminant:
    """The trained weights: `scores(vectors)` -> for each vector, entry -> score relative to the best (0 or less)."""

    def __init__(self, ids: Sequence[str], weights: np.ndarray) -> None:
        self.ids, self.weights = list(ids), weights

    @classmethod
    def load(cls, path: Path, ids: Sequence[str]) -> Discriminant:
        import numpy as np

        return cls(ids, np.load(path))

    def scores(self, vectors: np.ndarray) -> list[tuple[dict[str, float], float]]:
        """For each vector: scores of the entries, divided by SCALE, rounded, the best one at zero; and by how much the
        nearest foreign centre stands above the best entry (negative: below), 0.0 where there is no such centre.
        """
        import numpy as np

        raw = (vectors @ self.weights[:, :-1].T + self.weights[:, -1]) / SCALE
        own, other = raw[:, : len(self.ids)], raw[:, len(self.ids) :]
        best = own.max(axis=1, keepdims=True)
        foreign = (other.max(axis=1) - best[:, 0]) if other.shape[1] else np.zeros(len(raw), "float32")
        rows = zip((own - best).round(4).tolist(), foreign.round(4).tolist(), strict=True)
        return [(dict(zip(self.ids, row, strict=True)), gap) for row, gap in rows]
