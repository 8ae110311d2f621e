"""The weights of `retrieval/tone.py`, fitted as a part of `torchwhy.lab.fit`. Needs torch."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torchwhy.retrieval.tone import calmness, innocence, terms

from .evaluate import LabelledText

MIN_TEXTS = 4  # in which a term must stand
MIN_WEIGHT = 0.05  # below which a term is not kept
L2 = 1e-5
L2_VECTOR = 5e-4


def _logistic(
    matrix: Any, rows: Sequence[LabelledText], weights: Sequence[float], l2: float
) -> tuple[float, list[float]]:
    """Bias and weights of the matrix's columns by which a row is innocent, pulled to zero; innocent texts and
    others count the same in all.
    """
    import torch

    innocent = torch.tensor([float(row.label == "none") for row in rows])
    counts = torch.tensor(weights)
    counts = counts / torch.where(innocent > 0, (counts * innocent).sum(), (counts * (1 - innocent)).sum())
    own = torch.zeros(matrix.shape[1], requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([own, bias], max_iter=60, line_search_fn="strong_wolfe")

    def closure() -> Any:
        optimizer.zero_grad()
        losses = torch.nn.functional.binary_cross_entropy_with_logits(
            matrix @ own + bias, innocent, counts / 2, reduction="sum"
        )
        loss = losses + l2 * own.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return float(bias.detach()), own.detach().tolist()


def fit_tone(rows: Sequence[LabelledText], weights: Sequence[float]) -> dict[str, Any]:
    """A bias and the terms' weights. A row's terms have the same weight, and length one."""
    import torch

    found = [sorted(terms(row.text)) for row in rows]
    spread = Counter(term for each in found for term in each)
    kept = sorted(term for term, count in spread.items() if count >= MIN_TEXTS)
    if not kept or not _are_both(rows):
        return {}
    number_of = {term: at for at, term in enumerate(kept)}
    known = [[number_of[term] for term in each if term in number_of] for each in found]
    places = [(at, column) for at, columns in enumerate(known) for column in columns]
    values = [1 / math.sqrt(len(columns)) for columns in known for _ in columns]
    size = (len(rows), len(kept))
    matrix = torch.sparse_coo_tensor(list(zip(*places, strict=True)), values, size, check_invariants=True)
    bias, own = _logistic(matrix, rows, weights, L2)
    told = zip(kept, own, strict=True)
    return {
        "bias": round(bias, 3),
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

    return _folded(fitted, lambda at, part: innocence(terms(rows[at].text), part), fold)


def calms(
    vectors: Sequence[Sequence[float]],
    rows: Sequence[LabelledText],
    weights: Sequence[float],
    fold: Sequence[int],
) -> tuple[dict[str, Any], list[float]]:
    """The same of the rows' vectors."""
    import torch

    matrix = torch.tensor(vectors)

    def fitted(inside: Sequence[int]) -> dict[str, Any]:
        given = [rows[at] for at in inside]
        if not _are_both(given):
            return {}
        bias, own = _logistic(matrix[list(inside)], given, [weights[at] for at in inside], L2_VECTOR)
        return {"vector_bias": round(bias, 3), "vector": [round(value, 2) for value in own]}

    return _folded(fitted, lambda at, part: calmness(vectors[at], part), fold)


def _are_both(rows: Sequence[LabelledText]) -> bool:
    """Whether there are innocent texts and others."""
    return len({row.label == "none" for row in rows}) > 1


def _folded(
    fitted: Callable[[Sequence[int]], dict[str, Any]],
    said: Callable[[int, dict[str, Any]], float],
    fold: Sequence[int],
) -> tuple[dict[str, Any], list[float]]:
    """What is fitted on all rows, and what is said of each by what is fitted without its fold."""
    parts = {
        number: fitted([at for at, own in enumerate(fold) if own != number]) for number in sorted(set(fold))
    }
    return fitted(range(len(fold))), [said(at, parts[own]) for at, own in enumerate(fold)]


def written(tone: Mapping[str, Any]) -> dict[str, Any]:
    """The tone's weights as ranking.json has them: its terms, and those of the vector, each in one text."""
    terms = "\n".join(f"{term} {weight}" for term, weight in tone.get("terms", {}).items())
    return {**tone, "terms": terms, "vector": " ".join(map(str, tone.get("vector", ())))} if tone else {}
