"""`torchwhy eval --coverage FILE`: of what people ask, how much the knowledge base has an answer to, and what
is said where it has none.

A row is as `evaluate.py` says. "uncovered", or an id that is not written yet, says that an expert would want
an entry; "none" without a family that the text is out of scope. `area` names where the text belongs; rows
without one take the category of their entry.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .evaluate import LabelledText, Outcome, wilson
from .table import share

ENTRY, FAMILY, UNCOVERED, FOREIGN = "entry", "family", "uncovered", "out of scope"
MAX_DECIDED = 100  # texts without an entry whose answer is listed
MAX_TEXT_CHARS = 70
UNKNOWN_AREA = "unknown"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A labelled text, what an expert would want for it, and its area."""

    row: LabelledText
    kind: str
    area: str


def wanted(
    rows: Sequence[LabelledText], categories: Mapping[str, str], families: Collection[str]
) -> list[Wanted]:
    """What each text calls for. categories: of each entry, by id; families: ids."""
    result = []
    for row in rows:
        known = [label for label in (row.label, *sorted(row.also)) if label in categories]
        if known:
            kind = ENTRY
        elif row.family in families:
            kind = FAMILY
        else:
            kind = FOREIGN if row.label in ("none", "out-of-scope") else UNCOVERED
        area = row.area or (categories[known[0]] if known else UNKNOWN_AREA)
        result.append(Wanted(row, kind, area))
    return result


def shares(texts: Sequence[Wanted]) -> dict[str, dict[str, Any]]:
    """By area, and for all of them: texts, what covers them, and the covered share with its 95 % Wilson
    interval. Texts out of scope are no part of a share.
    """
    by_area: dict[str, list[Wanted]] = {"all": list(texts)}
    for text in sorted(texts, key=lambda each: each.area):
        by_area.setdefault(text.area, []).append(text)
    result = {}
    for area, group in by_area.items():
        counts = {
            kind: sum(each.kind == kind for each in group) for kind in (ENTRY, FAMILY, UNCOVERED, FOREIGN)
        }
        inside = len(group) - counts[FOREIGN]
        result[area] = {**counts, "covered": wilson(inside - counts[UNCOVERED], inside)}
    return result


def decided(texts: Sequence[Wanted], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """How the last texts that no entry covers were answered: an entry, a family, or not."""
    found = []
    for text, outcome in zip(texts, outcomes, strict=True):
        if text.kind == ENTRY:
            continue
        said = outcome.family or (outcome.ids[0] if outcome.answered and outcome.ids else None)
        found.append(
            {
                "wanted": text.row.family if text.kind == FAMILY else text.row.label,
                "kind": text.kind,
                "area": text.area,
                "said": said,
                "as": None if said is None else FAMILY if outcome.family else ENTRY,
                "probability": round(outcome.probability, 4),
                "text": " ".join(text.row.text.split())[:MAX_TEXT_CHARS],
            }
        )
    return found[-MAX_DECIDED:]


def page(texts: Sequence[Wanted], outcomes: Sequence[Outcome]) -> str:
    """Both tables as text."""
    lines = [f"{'area':22} {'texts':>5} {'entry':>6} {'family':>6} {'none':>5} {'out':>4}   covered %"]
    for area, row in shares(texts).items():
        inside = row[ENTRY] + row[FAMILY] + row[UNCOVERED]
        lines.append(
            f"{area[:22]:22} {inside + row[FOREIGN]:>5} {row[ENTRY]:>6} {row[FAMILY]:>6} {row[UNCOVERED]:>5} "
            f"{row[FOREIGN]:>4}   {share(row['covered'], inside)}"
        )
    listed = decided(texts, outcomes)
    said = {kind: sum(each["as"] == kind for each in listed) for kind in (ENTRY, FAMILY, None)}
    lines.append(
        f"\nthe last {len(listed)} texts that no entry covers: {said[ENTRY]} answered with an entry, "
        f"{said[FAMILY]} with a family, {said[None]} refused"
    )
    for each in listed:
        what = "refused" if each["said"] is None else f"{each['said']} {each['probability']:.2f}"
        lines.append(f"{(each['wanted'] or each['kind'])[:30]:30} -> {what[:36]:36} {each['text']}")
    return "\n".join(lines)


def as_json(texts: Sequence[Wanted], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    return {"areas": shares(texts), "decided": decided(texts, outcomes)}
