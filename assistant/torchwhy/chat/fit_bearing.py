"""`python -m torchwhy.chat.fit_bearing` makes the weights of bearing.json from statements.txt.

It prints how often an entry that the weights have not seen is the one that its sentences are found to speak
of, and how often such a sentence is rightly found to speak against it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from torchwhy.embedding.model import find_model
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.retrieval.build_vectors import open_vectors
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.matcher import Matcher

from .bearing import NEAREST, WEIGHTS, Bearings, Statement, opposing, sayings
from .excerpts import ExcerptFinder
from .law import Law
from .likeness import Likeness
from .polarity import read_polarity

if TYPE_CHECKING:
    import numpy as np

    from torchwhy.retrieval.store import Store

FOLDS, STEPS, RATE, RIDGE = 4, 1500, 0.3, 0.002
OTHERS = 4  # the nearest other entries, which a sentence does not contradict


def rows() -> list[tuple[str, bool, str]]:
    """(entry, whether it speaks against that, sentence)."""
    return [(id, kind != "is", text) for id, said in sayings().items() for kind, text in said]


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
    law = Law(bearings.finder, Likeness(matcher))
    said = rows()
    near, against, alike = [], [], []
    for id, opposes, text in said:
        read = read_polarity(text)
        found = bearings.near(text, [id])  # that entry comes first
        near.append([(*each.meaning, *each.terms) for each in found.values()][:NEAREST])
        against.append(opposing(read, found[id]))
        for each in list(found)[: 1 + OTHERS]:  # it contradicts no other one
            features = law.contradiction(Statement(text, read), store.pitfall(each), without=text)
            alike.append((features, opposes and each == id))
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
        "contradicts": opposed(*(np.array(each, "float64") for each in zip(*alike, strict=True)))
        .round(3)
        .tolist(),
    }


def main() -> None:
    store = open_store(knowledge_roots())
    vectors = open_vectors(store, find_model())
    WEIGHTS.write_text(json.dumps(weights_of(store, Matcher(store, lambda: vectors))) + "\n", "utf-8")


if __name__ == "__main__":
    main()
