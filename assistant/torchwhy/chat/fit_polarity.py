"""`python -m torchwhy.chat.fit_polarity` makes the weights of polarity.json from the examples beside it.

It prints which examples are read otherwise than they are meant by weights that have not seen them.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .polarity import WEIGHTS, features

if TYPE_CHECKING:
    import numpy as np

FILLINGS = 4  # how often an example is shown, each time speaking of something else
RIDGE, STEPS, RATE = 2e-4, 200, 4.0
MIN_SEEN = 3  # texts that show a feature; what fewer show is of what they speak of
MIN_WEIGHT = 0.25  # a smaller one is left out
FOLDS = 5
_NAMED = re.compile(r"\{(.+?)\}")


def rows() -> list[tuple[str, str]]:
    """(polarity, example) of both languages."""
    result, polarity = [], ""
    for lang in ("en", "zh"):
        for line in Path(__file__).with_name(f"polarity.{lang}.txt").read_text("utf-8").splitlines():
            if line.startswith("== "):
                polarity = line[3:]
            elif line and polarity:
                result.append((polarity, line))
        polarity = ""
    return result


def filled(examples: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each example with its own words, and with what others speak of: what is spoken of decides nothing."""
    things = sorted({thing for _, example in examples for thing in _NAMED.findall(example)})
    chance = random.Random(0)
    result = []
    for polarity, example in examples:
        result.append((polarity, _NAMED.sub(r"\1", example)))
        if _NAMED.search(example):
            result += [
                (polarity, _NAMED.sub(lambda _: chance.choice(things), example)) for _ in range(FILLINGS - 1)
            ]
    return result


def fit(examples: Sequence[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """Multinomial logistic regression by gradient descent; each class weighs the same."""
    import numpy as np

    texts = filled(examples)
    names = sorted({polarity for polarity, _ in texts})
    shown = [features(text) for _, text in texts]
    seen = Counter(each for row in shown for each in row)
    number_of = {each: at for at, each in enumerate(sorted(each for each in seen if seen[each] >= MIN_SEEN))}
    inputs = np.zeros((len(texts), len(number_of) + 1), "float32")
    for row, present in zip(inputs, shown, strict=True):
        row[[number_of[each] for each in present if each in number_of]] = 1.0 / np.sqrt(len(present))
        row[-1] = 1.0
    wanted = np.eye(len(names), dtype="float32")[[names.index(polarity) for polarity, _ in texts]]
    share = 1.0 / (len(names) * wanted.sum(0))
    weights = np.zeros((inputs.shape[1], len(names)), "float32")
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        missed = (_softmax(inputs @ weights) - wanted) * (wanted @ share)[:, None]
        speed = 0.9 * speed - RATE * (inputs.T @ missed + RIDGE * weights)
        weights += speed
    return {
        name: {"": round(float(weights[-1, at]), 2)}
        | {
            each: round(float(weights[row, at]), 1)
            for each, row in number_of.items()
            if abs(weights[row, at]) >= MIN_WEIGHT
        }
        for at, name in enumerate(names)
    }


def _softmax(scores: np.ndarray) -> np.ndarray:
    import numpy as np

    raised = np.exp(scores - scores.max(1, keepdims=True))
    result: np.ndarray = raised / raised.sum(1, keepdims=True)
    return result


def main() -> None:
    from . import polarity

    examples = rows()
    right, wrong = 0, []
    for fold in range(FOLDS):
        learnt = fit([row for at, row in enumerate(examples) if at % FOLDS != fold])
        polarity._weights = lambda learnt=learnt: learnt  # type: ignore[assignment, misc]
        for wanted, example in examples[fold::FOLDS]:
            got = polarity.read_polarity(_NAMED.sub(r"\1", example))
            right += got.polarity == wanted
            wrong += [] if got.polarity == wanted else [f"{example}: {wanted}, read as {got.polarity}"]
    print(*wrong, f"{right} of {len(examples)} unseen examples are read as they are meant", sep="\n")
    lines = [
        f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False)}" for name, row in fit(examples).items()
    ]
    WEIGHTS.write_text("{" + ",\n".join(lines) + "}\n", "utf-8")


if __name__ == "__main__":
    main()
