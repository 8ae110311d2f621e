"""`python -m torchwhy.chat.fit_law` makes the weights of law.json from statements.txt.

It prints how often a sentence is rightly found to contradict an entry that the weights have not seen.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING

from torchwhy.embedding.model import find_model
from torchwhy.knowledge.roots import knowledge_roots
from torchwhy.retrieval.build_vectors import open_vectors
from torchwhy.retrieval.compile import open_store
from torchwhy.retrieval.matcher import Matcher

from .excerpts import ExcerptFinder
from .law import WEIGHTS, Law, sayings
from .likeness import Likeness
from .polarity import Statement, read_polarity

if TYPE_CHECKING:
    import numpy as np

    from torchwhy.retrieval.store import Store

FOLDS, STEPS, RATE, RIDGE = 4, 1500, 0.3, 0.002
OTHERS = 4  # the nearest other entries, which a sentence does not contradict


def fit(inputs: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Logistic regression on standardised columns by gradient ascent; both kinds weigh the same."""
    import numpy as np

    scale = inputs.std(0)
    scale[scale == 0] = 1.0
    scaled = inputs / scale
    share = np.where(wanted, 0.5 / wanted.sum(), 0.5 / (1 - wanted).sum())
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        slope = (wanted - 1 / (1 + np.exp(-(scaled @ weights)))) * share
        weights += RATE * (slope @ scaled - RIDGE * weights)
    return np.asarray(weights / scale)


def weights_of(store: Store, matcher: Matcher) -> list[float]:
    """Fit, and print what the weights make of entries that they have not seen."""
    import numpy as np

    law, vectors = Law(ExcerptFinder(store), Likeness(matcher)), matcher.open_vectors()
    assert vectors is not None
    rows, wanted, folds = [], [], []
    for id, said in sayings().items():
        for kind, text in said:
            scores = vectors.near([text])[0].scores
            others = [each for each in sorted(scores, key=lambda each: -scores[each]) if each != id][:OTHERS]
            for each in (id, *others):
                read = Statement(text, read_polarity(text))
                rows.append(law.contradiction(read, store.pitfall(each), without=text))
                wanted.append(each == id and kind != "is")
                folds.append(zlib.crc32(id.encode()) % FOLDS)
    inputs, meant, fold = np.array(rows), np.array(wanted, "float64"), np.array(folds)
    right = 0
    for out in (fold == each for each in range(FOLDS)):
        right += int(((inputs[out] @ fit(inputs[~out], meant[~out]) > 0) == meant[out]).sum())
    print(f"{right} of {len(rows)} pairs of a sentence and an entry are read as meant")
    return [float(each) for each in fit(inputs, meant).round(3)]


def main() -> None:
    store = open_store(knowledge_roots())
    vectors = open_vectors(store, find_model())
    WEIGHTS.write_text(json.dumps(weights_of(store, Matcher(store, lambda: vectors))) + "\n", "utf-8")


if __name__ == "__main__":
    main()
