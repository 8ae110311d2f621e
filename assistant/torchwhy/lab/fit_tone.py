"""The weights of `retrieval/tone.py`, fitted as a part of `torchwhy.lab.fit`. Needs torch."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from torchwhy.retrieval.tone import innocence, terms

from .evaluate import LabelledText

MIN_TEXTS = 4  # in which a term must stand
MIN_WEIGHT = 0.05  # below which a term is not kept
L2 = 1e-5


def fit_tone(rows: Sequence[LabelledText], weights: Sequence[float]) -> dict[str, Any]:
    """A bias and the terms' weights, by logistic regression; innocent texts and others count the same in all.
    A row's terms have the same weight, and length one.
    """
    import torch

    found = [sorted(terms(row.text)) for row in rows]
    spread = Counter(term for each in found for term in each)
    kept = sorted(term for term, count in spread.items() if count >= MIN_TEXTS)
    innocent = torch.tensor([float(row.label == "none") for row in rows])
    if not kept or innocent.min() == innocent.max():
        return {}
    number_of = {term: at for at, term in enumerate(kept)}
    known = [[number_of[term] for term in each if term in number_of] for each in found]
    places = [(at, column) for at, columns in enumerate(known) for column in columns]
    values = [1 / math.sqrt(len(columns)) for columns in known for _ in columns]
    size = (len(rows), len(kept))
    matrix = torch.sparse_coo_tensor(list(zip(*places, strict=True)), values, size, check_invariants=True)
    counts = torch.tensor(weights)
    counts = counts / torch.where(innocent > 0, (counts * innocent).sum(), (counts * (1 - innocent)).sum())
    own = torch.zeros(len(kept), requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([own, bias], max_iter=60, line_search_fn="strong_wolfe")

    def closure() -> Any:
        optimizer.zero_grad()
        losses = torch.nn.functional.binary_cross_entropy_with_logits(
            matrix @ own + bias, innocent, counts / 2, reduction="sum"
        )
        loss = losses + L2 * own.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    told = zip(kept, own.detach().tolist(), strict=True)
    return {
        "bias": round(float(bias.detach()), 3),
        "terms": {term: round(value, 3) for term, value in told if abs(value) >= MIN_WEIGHT},
    }


def tones(
    rows: Sequence[LabelledText],
    weights: Sequence[float],
    fold: Sequence[int],
    always: Sequence[LabelledText] = (),
) -> tuple[dict[str, Any], list[float]]:
    """The weights fitted on all rows, and what each row's terms say by those fitted without its fold;
    `always`: further texts, of no fold.
    """

    def fitted(inside: Sequence[int]) -> dict[str, Any]:
        counts = [weights[at] for at in inside] + [1.0] * len(always)
        return fit_tone([*(rows[at] for at in inside), *always], counts)

    said = [0.0] * len(rows)
    for number in sorted(set(fold)):
        part = fitted([at for at, own in enumerate(fold) if own != number])
        for at, own in enumerate(fold):
            if own == number:
                said[at] = innocence(terms(rows[at].text), part)
    return fitted(range(len(rows))), said
