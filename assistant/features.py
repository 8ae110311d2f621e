"""The evidence for each candidate, as numbers: what the ranking is fitted on. Pure Python; needs no numpy.

A feature is named in NAMES; its value for an entry is in `Evidence.rows[entry]`, in that order. `Evidence.none` holds
the features of "nothing that is known here", which competes with the entries.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .paste import Found, Paste
from .signatures import Claim

if TYPE_CHECKING:
    from .vectors import Near

NAMES = (
    "settled", "claim_root", "claim_symptom", "claim_other", "claim_length", "claim_last", "claim_rivals", "claim_specific", "lexical_whole",
    "lexical_line", "lexical_both", "cosine_title", "cosine_ask", "cosine_cause", "cosine_check", "cosine_example", "cosine_lead",
    "cosine_words", "silent_for_error", "silent_for_words", "id_words", "discriminant", "discriminant_lead",
    "discriminant_words", "bayes", "bayes_lead",
)  # fmt: skip
NONE_NAMES = (
    "bias", "best_cosine", "best_line", "claimed", "claimed_root", "foreign", "has_root", "short", "cosine_gap", "torch_words", "claimed_foreign",
    "settled", "discriminant_gap", "bayes_gap", "foreign_near",
)  # fmt: skip
ROLE_WEIGHT = {"root": 0.8, "wrapper": 0.4, "cascade": 0.3, "warning": 0.5, "advice": 0.1}
LIKELY = 20  # entries that the discriminant, and naive Bayes, may bring in
COSINES = ("title", "ask", "cause", "check", "example")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Features of every candidate, of `none`, and the claims that they rest on."""

    rows: Mapping[str, list[float]]
    none: list[float]
    claims: Mapping[str, Claim]
    settled: str | None


def role_of(paste: Paste, claim: Claim, starts: Sequence[int]) -> tuple[float, bool, Found | None]:
    """(weight of the error that the claim lies in, whether that is the leading error, the error)."""
    if not paste.errors or paste.root is None:
        return 1.0, True, None
    first, last = bisect_right(starts, claim.start) - 1, bisect_right(starts, max(claim.start, claim.end - 1)) - 1
    for error in paste.errors:
        if error.start <= last and first < error.end:
            # another rank's copy of the leading error, and each of several warnings where nothing failed, lead as well
            if (error.exception, error.message) == (paste.root.exception, paste.root.message) or error.role == paste.root.role == "warning":
                return 1.0, True, error
            return ROLE_WEIGHT[error.role], False, error
    return 0.45, False, None


def line_starts(paste: Paste) -> list[int]:
    starts, offset = [], 0
    for line in paste.lines:
        starts.append(offset)
        offset += len(line) + 1
    return starts


def settle(claims: Mapping[str, tuple[float, bool, Claim]], kinds: Mapping[str, str]) -> str | None:
    """The entry that the signatures alone decide for: the only claim on the leading error, or the one that beats every
    other claim there: it has its context, or its match holds the other's and more. None where two stand side by side,
    and for silent entries without a context, whose wordings are signs of a symptom rather than the message of one mistake.
    """
    leading = {entry: claim for entry, (_, root, claim) in claims.items() if root and (claim.context or kinds.get(entry, "silent") != "silent")}
    for entry, claim in leading.items():
        if all(other == entry or beats(claim, rival) for other, rival in leading.items()):
            return entry
    return None


def beats(claim: Claim, rival: Claim) -> bool:
    """Whether a claim is the more special one of two on the same error."""
    if claim.context != rival.context:
        return claim.context
    inside = claim.start <= rival.start and rival.end <= claim.end
    return inside and claim.length >= rival.length + 8


def collect(
    paste: Paste,
    claims: Sequence[Claim],
    whole: Mapping[str, float],
    lines: Mapping[str, float],
    kinds: Mapping[str, str],
    bayes: Mapping[str, float],
    near: Near | None = None,
    near_words: Near | None = None,
) -> Evidence:
    """Turn raw scores into features. `near`: of the distilled error or the question; `near_words`: of the user's own
    words beside an error.
    """
    starts = line_starts(paste)
    best: dict[str, tuple[float, bool, Claim]] = {}
    for claim in claims:
        weight, leading, _ = role_of(paste, claim, starts)
        known = best.get(claim.entry)
        if known is None or (weight, claim.context, claim.length) > (known[0], known[2].context, known[2].length):
            best[claim.entry] = (weight, leading, claim)
    cosines: Mapping[str, Sequence[float]] = near.cosines if near else {}
    word_cosines: Mapping[str, Sequence[float]] = near_words.cosines if near_words else {}
    scores: Mapping[str, float] = near.scores if near else {}
    word_scores: Mapping[str, float] = near_words.scores if near_words else {}
    runner_up = sorted(scores.values(), reverse=True)[1] if len(scores) > 1 else 0.0
    likely = _best(scores)
    bayes_runner_up = sorted(bayes.values(), reverse=True)[1] if len(bayes) > 1 else 0.0
    top_whole, top_line = max(whole.values(), default=0.0) or 1.0, max(lines.values(), default=0.0) or 1.0
    tops = [max((row[at] for row in cosines.values()), default=0.0) for at in range(len(COSINES))]
    lead = {entry: max(row) for entry, row in cosines.items()}
    ordered = sorted(lead.values(), reverse=True)
    text = paste.text.lower() if len(paste.text) < 20000 else paste.distilled.lower()
    last_end = max((claim.end for _, _, claim in best.values()), default=0)
    leaders = [entry for entry, (_, leading, _) in best.items() if leading]
    settled = settle(best, kinds)
    rows = {}
    for entry in {*best, *whole, *lines, *lead, *word_cosines, *likely, *_best(bayes)}:
        if entry not in kinds:
            continue
        weight, leading, claim_ = best.get(entry, (0.0, False, None))
        row = list(cosines.get(entry, (0.0,) * len(COSINES)))
        lexical, line = whole.get(entry, 0.0), lines.get(entry, 0.0)
        specific = 0.0
        if claim_ is not None and leading:
            specific = sum(1.0 for other in leaders if other != entry and beats(claim_, best[other][2])) - sum(
                1.0 for other in leaders if other != entry and beats(best[other][2], claim_)
            )
        rows[entry] = [
            float(entry == settled), float(leading and kinds[entry] != "silent"), float(leading and kinds[entry] == "silent"),
            0.0 if leading else weight,
            math.log1p(claim_.length) / 5 if claim_ else 0.0, float(bool(claim_ and claim_.end == last_end)),
            float(leading) * (len(leaders) - 1), max(-2.0, min(2.0, specific)),
            lexical / top_whole, line / top_line, (lexical / top_whole) * (line / top_line),
            row[0], row[1], row[2], row[3], row[4],
            _lead(entry, lead, ordered), max(word_cosines.get(entry, (0.0,))),
            float(paste.root is not None and kinds[entry] == "silent"), float(paste.root is None and kinds[entry] == "silent"),
            _id_words(entry, text), max(-3.0, scores.get(entry, 0.0)),
            (-runner_up if scores.get(entry) == 0.0 else max(-1.5, scores.get(entry, 0.0))) if scores else 0.0,
            max(-3.0, word_scores.get(entry, 0.0)), max(-6.0, bayes.get(entry, 0.0)) / 3,
            (-bayes_runner_up if bayes.get(entry) == 0.0 else max(-3.0, bayes.get(entry, 0.0))) / 3 if bayes else 0.0,
        ]  # fmt: skip
    none = [
        1.0, max(tops, default=0.0), min(top_line, 30.0) / 30 if lines else 0.0, float(bool(best)), float(bool(leaders)),
        min(2.0, float(len(paste.foreign))), float(paste.root is not None), float(len(text.split()) + len(text) / 12 < 6),
        (ordered[0] - ordered[min(5, len(ordered) - 1)]) if ordered else 0.0, float("torch" in text or "cuda" in text or "gpu" in text),
        float(bool(paste.foreign) and bool(best)), float(settled is not None), -runner_up if scores else 0.0,
        -bayes_runner_up / 3, max(-3.0, min(3.0, near.foreign)) if near else 0.0,
    ]  # fmt: skip
    return Evidence(rows, none, {entry: claim for entry, (_, _, claim) in best.items()}, settled)


def _best(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=lambda entry: (-scores[entry], entry))[:LIKELY]


def _lead(entry: str, lead: Mapping[str, float], ordered: Sequence[float]) -> float:
    """How far the entry's best cosine stands above the best of the others (negative: below)."""
    if entry not in lead or not ordered:
        return -0.3
    rival = ordered[1] if lead[entry] == ordered[0] and len(ordered) > 1 else ordered[0]
    return max(-0.3, lead[entry] - rival)


def _id_words(entry: str, text: str) -> float:
    words = [word for word in entry.split("-") if len(word) > 2]
    return sum(word in text for word in words) / len(words) if words else 0.0
