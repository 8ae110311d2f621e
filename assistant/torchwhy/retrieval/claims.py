"""How signature matches are weighed: the role of the error they lie in, and which of two is more specific."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from torchwhy.knowledge.wordings import Claim, WordingSearch
from torchwhy.paste.paste import Found, Paste

ROLE_WEIGHT = {"root": 0.8, "wrapper": 0.4, "cascade": 0.3, "warning": 0.5, "advice": 0.1}
WEIGHT_OUTSIDE_ERRORS = 0.45
MIN_LONGER_CHARS = 8  # by which a match that holds another one must be longer to be the more specific


class Weighed(NamedTuple):
    """A claim, the weight of the error that it lies in, and whether that error leads the text; `raised`:
    whether that is an exception that ended the program, or a warning; `others`: the entry's shorter claims of
    that weight.
    """

    weight: float
    leading: bool
    claim: Claim
    raised: bool = False
    others: tuple[Claim, ...] = ()


def weigh(paste: Paste, claims: Iterable[Claim]) -> dict[str, Weighed]:
    """Each entry's best claim: on the error of most weight, then with a context, then the longest."""
    starts = line_starts(paste)
    best: dict[str, Weighed] = {}
    for claim in claims:
        weight, leading, error = role_of(paste, claim, starts)
        raised = leading and error is not None and error.role in ("root", "warning") and bool(error.exception)
        known = best.get(claim.entry)
        if known is None:
            best[claim.entry] = Weighed(weight, leading, claim, raised)
            continue
        rank = (known.weight, known.claim.context, known.claim.length)
        if (weight, claim.context, claim.length) > rank:
            others = (*known.others, known.claim) if known.weight == weight else ()
            best[claim.entry] = Weighed(weight, leading, claim, raised, others)
        elif known.weight == weight:
            best[claim.entry] = known._replace(others=(*known.others, claim))
    return best


def role_of(paste: Paste, claim: Claim, starts: Sequence[int]) -> tuple[float, bool, Found | None]:
    """(weight of the error that the claim lies in, whether that is the leading error, the error).

    `starts`: the offset of each line, from `line_starts`.
    """
    root = paste.root
    if root is None:
        return 1.0, True, None
    first = bisect_right(starts, claim.start) - 1
    last = bisect_right(starts, max(claim.start, claim.end - 1)) - 1
    for error in paste.errors:
        if error.start <= last and first < error.end:
            same = (error.exception, error.message) == (root.exception, root.message)
            # another rank's copy of the leading error leads as well, and each of several warnings where
            # nothing failed
            if same or error.role == root.role == "warning":
                return 1.0, True, error
            return ROLE_WEIGHT[error.role], False, error
    matched = paste.text[claim.start : claim.end]
    if matched and matched in root.message:  # another line of the log says the leading error again
        return 1.0, True, root
    if root.role == "warning":  # nothing failed, or its traceback was cut off: any line may lead
        return 1.0, True, None
    return WEIGHT_OUTSIDE_ERRORS, False, None


def line_starts(paste: Paste) -> list[int]:
    """The offset in `paste.text` at which each line begins."""
    starts, offset = [], 0
    for line in paste.lines:
        starts.append(offset)
        offset += len(line) + 1
    return starts


def with_structure(paste: Paste, claims: Sequence[Claim], wordings: WordingSearch) -> Sequence[Claim]:
    """The claims with the one on what a traceback shows of two packages whose releases do not go together,
    laid on the leading error. A wording that claims that error goes first, unless it says less of a call than
    the structure does. Nothing is added where all may be of the user's own program, or of one without torch.
    """
    root = paste.root
    rivals = [weighed.claim for weighed in weigh(paste, claims).values() if weighed.leading]
    if root is None or (rivals and "()" not in root.message):
        return claims
    from torchwhy.paste.foreign import SURROUNDINGS, is_of_torch
    from torchwhy.paste.out_of_step import out_of_step

    step = out_of_step(paste)
    if step is None or not step.sure:
        return claims
    if not (step.of_library or is_of_torch(paste) or SURROUNDINGS.search(paste.text)):
        return claims
    said = f"{step.where}() {step.asked}" if step.form == "argument" else root.message
    start = max(paste.text.rfind(said) - 1, 0)  # patterns ask for a blank or a line's end before a name
    for claim in wordings.claims(step.line):
        laid = claim._replace(start=start, end=start + 1 + len(said))
        first = not rivals or (step.form == "argument" and all(beats(laid, rival) for rival in rivals))
        if claim.length == len(step.line) and first:
            return [*claims, laid]
    return claims


def settle(claims: Mapping[str, Weighed], kinds: Mapping[str, str]) -> str | None:
    """The entry that the signatures alone decide for, or None.

    It is the only claim on the leading error, or the one that beats every other claim there. A silent entry's
    wordings are signs of a symptom: without a context it decides only where it alone claims the message of an
    exception or a warning.
    """
    leads = {entry: weighed for entry, weighed in claims.items() if weighed.leading}
    leading = {
        entry: weighed.claim
        for entry, weighed in leads.items()
        if weighed.claim.context
        or kinds.get(entry, "silent") != "silent"
        or (weighed.raised and len(leads) == 1)
    }
    for entry, claim in leading.items():
        if all(other == entry or beats(claim, rival) for other, rival in leading.items()):
            return entry
    return None


def beats(claim: Claim, rival: Claim) -> bool:
    """Whether a claim is the more specific one of two on the same error: it has a context where the other has
    none, or its match holds the other's and more.
    """
    if claim.context != rival.context:
        return claim.context
    inside = claim.start <= rival.start and rival.end <= claim.end
    return inside and claim.length >= rival.length + MIN_LONGER_CHARS
