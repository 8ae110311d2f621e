"""What is fitted on top of the ranking, of texts in words: what a family's evidence weighs, and from which
probability a family, or the first three candidates, are the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from torchwhy.knowledge.family import Family
from torchwhy.paste.paste import Paste
from torchwhy.retrieval.families import FamilyEvidence, evidence_of, likely_family, weighed
from torchwhy.retrieval.features import FeatureTable
from torchwhy.retrieval.matcher import LISTED, MAX_DOUBTED

from .evaluate import LabelledText, Outcome

MIN_MASS = 0.02  # of a family, from which it says something of a row
L2 = 0.001
# From which a family or three are the answer. What a wrong list costs against a refusal moves the cheapest
# from 0.14 to 0.72, so it is a policy: at these about as many innocent texts are answered as before lists.
# In Chinese a list of 0.25 to 0.4 is right in eight of ten, its probability is too low.
LISTED_FROM, LISTED_FROM_CHINESE = 0.5, 0.35
INNOCENT_SHARE = 0.2  # of the texts in words that are asked, those that have no entry


class Case(NamedTuple):
    """A row with what the ranking reads of it. `near`: of the vectors, by family."""

    row: LabelledText
    paste: Paste
    features: FeatureTable
    near: Mapping[str, float]


class Judged(NamedTuple):
    """A case and its ranking, by weights that were fitted without its label."""

    case: Case
    ids: tuple[str, ...]
    probabilities: Mapping[str, float]
    none: float

    @property
    def best(self) -> float:
        return self.probabilities[self.ids[0]] if self.ids else 0.0

    @property
    def open(self) -> bool:
        """Whether the text is one in words of which no entry stands clear."""
        claimed = self.ids and self.ids[0] in self.case.features.claims
        return self.case.paste.root is None and not claimed and self.best < MAX_DOUBTED


def as_asked(rows: Sequence[LabelledText], weights: Sequence[float]) -> list[float]:
    """The rows' weights, so that those without an entry are the share of them that is asked."""
    innocent = sum(weight for row, weight in zip(rows, weights, strict=True) if row.label == "none")
    share = INNOCENT_SHARE / (1 - INNOCENT_SHARE) * (sum(weights) - innocent) / (innocent or 1.0)
    return [
        weight * (share if row.label == "none" else 1.0) for row, weight in zip(rows, weights, strict=True)
    ]


def calibration_error(
    rows: Sequence[LabelledText], outcomes: Sequence[Outcome], weights: Sequence[float]
) -> float:
    """How far the probabilities are from the shares that are right, by tenths, each row by its weight."""
    gaps: dict[int, float] = {}
    for row, out, weight in zip(rows, outcomes, weights, strict=True):
        tenth = min(9, int(out.probability * 10))
        gaps[tenth] = gaps.get(tenth, 0.0) + weight * (out.probability - out.right(row))
    return sum(map(abs, gaps.values())) / (sum(weights) or 1.0)


def fit_families(
    cases: Sequence[Judged], weights: Sequence[float], families: Sequence[Family]
) -> list[float]:
    """The weights of a family's evidence: a logistic regression on whether the family is right."""
    import torch

    rows, right, counts = [], [], []
    for judged, weight in zip(cases, weights, strict=True):
        evidence = evidence_of(families, judged.probabilities, judged.none, judged.case.near)
        for family, each in evidence:
            if each.mass >= MIN_MASS or each.lead > 0:
                likely = weighed(family, 1.0, judged.case.paste.text, judged.probabilities)
                members = tuple(member.id for member in likely.members)
                rows.append(each)
                counts.append(weight)
                right.append(float(Outcome(judged.ids, 1.0, True, family.id, members).right(judged.case.row)))
    if not rows:
        return [-1.0, *[0.0] * (len(FamilyEvidence._fields) - 1)]
    x, y, count = torch.tensor(rows), torch.tensor(right), torch.tensor(counts)
    found = torch.zeros(x.shape[1], requires_grad=True)
    optimizer = torch.optim.LBFGS([found], max_iter=100, line_search_fn="strong_wolfe")

    def closure() -> Any:
        optimizer.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ found, y, count / count.mean())
        loss = loss + L2 * found.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return [round(value, 4) for value in found.tolist()]


def listed_outcomes(
    cases: Sequence[Judged], families: Sequence[Family], weights: Sequence[float]
) -> list[Outcome]:
    """Of each open case what a family or the first three say, whichever is likelier."""
    result = []
    for judged in cases:
        listed = sum(judged.probabilities[id] for id in judged.ids[:LISTED])
        outcome = Outcome(judged.ids, listed, True, listed=True)
        if families:
            evidence = evidence_of(families, judged.probabilities, judged.none, judged.case.near)
            family = likely_family(evidence, weights, judged.case.paste.text, judged.probabilities)
            if family.probability >= listed:
                members = tuple(member.id for member in family.members)
                outcome = Outcome(judged.ids, family.probability, True, family.family.id, members)
        result.append(outcome)
    return result
