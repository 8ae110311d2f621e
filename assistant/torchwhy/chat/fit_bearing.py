"""`python -m torchwhy.chat.fit_bearing` makes the weights of bearing.json from statements.txt.

It prints how often an entry that the weights have not seen is the one that its sentences are found to speak
of, and how often such a sentence is rightly found to speak against it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from torchwhy.embedding.model import find_model
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.retrieval.build_vectors import open_vectors
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.matcher import Matcher

from .bearing import NEAREST, WEIGHTS, Bearings, opposing
from .excerpts import ExcerptFinder
from .polarity import read_polarity

if TYPE_CHECKING:
    import numpy as np

    from torchwhy.retrieval.store import Store

FOLDS, STEPS, RATE, RIDGE = 4, 1500, 0.3, 0.002


def rows() -> list[tuple[str, bool, str]]:
    """(entry, whether it speaks against that, sentence)."""
    result, id = [], ""
    for line in Path(__file__).with_name("statements.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            id = line[3:]
        elif id and line:
            kind, _, text = line.partition(": ")
            result.append((id, kind != "is", text))
    return result


def fit(inputs: np.ndarray, slope: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Gradient ascent on standardised columns; `slope`: of the log likelihood, by the scores."""
    import numpy as np

    scale = inputs.reshape(-1, inputs.shape[-1]).std(0)
    scale[scale == 0] = 1.0
    scaled = inputs / scale
    weights = np.zeros(inputs.shape[-1])
    for _ in range(STEPS):
        weights += RATE * (np.tensordot(slope(scaled @ weights), scaled, scaled.ndim - 1) - RIDGE * weights)
    return np.asarray(weights / scale)


def speaking(inputs: np.ndarray) -> np.ndarray:
    """Conditional logit: the first of each row's entries is the one that is spoken of."""
    import numpy as np

    def slope(scores: np.ndarray) -> np.ndarray:
        raised = np.exp(scores - scores.max(1, keepdims=True))
        return np.asarray((np.eye(1, scores.shape[1]) - raised / raised.sum(1, keepdims=True)) / len(scores))

    return fit(inputs, slope)


def opposed(inputs: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Logistic regression."""
    import numpy as np

    share = np.where(wanted, 0.5 / wanted.sum(), 0.5 / (1 - wanted).sum())  # both kinds weigh the same
    return fit(inputs, lambda scores: (wanted - 1 / (1 + np.exp(-scores))) * share)


def weights_of(store: Store, matcher: Matcher) -> dict[str, list[float]]:
    """Fit both, and print what they make of entries that they have not seen."""
    import numpy as np

    bearings = Bearings(store, matcher, ExcerptFinder(store))
    said = rows()
    near, against = [], []
    for id, _, text in said:
        found = bearings.near(text, [id])  # that entry comes first
        near.append([(*each.meaning, *each.terms) for each in found.values()][:NEAREST])
        against.append(opposing(read_polarity(text), found[id]))
    inputs, signs = np.array(near), np.array(against)
    wanted = np.array([each for _, each, _ in said], "float64")
    fold = np.array([zlib.crc32(id.encode()) % FOLDS for id, _, _ in said])
    first = right = 0
    for out in (fold == each for each in range(FOLDS)):
        scores = inputs[out] @ speaking(inputs[~out])
        first += int((scores.argmax(1) == 0).sum())
        right += int(((signs[out] @ opposed(signs[~out], wanted[~out]) > 0) == wanted[out]).sum())
    print(f"{first} of {len(said)} speak most of their entry, {right} are read as for or against as meant")
    return {
        "speaks": speaking(inputs).round(3).tolist(),
        "against": opposed(signs, wanted).round(3).tolist(),
    }


def main() -> None:
    store = open_store(knowledge_roots())
    vectors = open_vectors(store, find_model())
    WEIGHTS.write_text(json.dumps(weights_of(store, Matcher(store, lambda: vectors))) + "\n", "utf-8")


if __name__ == "__main__":
    main()
