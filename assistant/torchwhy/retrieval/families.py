"""Which family a text speaks of: several entries explain one symptom, and the text does not decide which.

A family is as likely as its members are together; that the text describes its symptom in words (`signs`) is a
feature of the ranking. What the text says of a family's checks ("it worked with num_workers=0") orders the
members.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from torchwhy.knowledge.family import Check, CheckAnswer, Family
from torchwhy.knowledge.patterns import compile_pattern

CHECK_ODDS = 4.0  # by which an answer to a check multiplies, or divides, the odds of a member
SAID_ODDS = 2.0  # the same where a text only mentions what answers a check: it may mean something else
MIN_MEMBER_SHARE = 0.01  # of the members' probability, what one that the ranking never brought in is given
# The ranking puts the right member of a family first in half of the texts and among the first three in nine
# of ten: its odds between members are too steep for an answer to a check to overrule, so their square root is
# taken.
SHARE_POWER = 0.5
DESCRIBED = 2.0  # what a family counts for whose symptom the text describes
MAX_SIGNED_CHARS = 4000  # of a text, where signs are looked for
MAX_CONTRADICTED = 0.97  # of an entry that something in the text speaks against, what it must be surer than


class Member(NamedTuple):
    """A member and its share of the family's probability."""

    id: str
    share: float


class Likely(NamedTuple):
    """A family that a text speaks of: how likely it is, its members best first, and what the text answered.

    `answered`: of each check the answer that the text itself gives, or None.
    """

    family: Family
    probability: float
    members: tuple[Member, ...]
    answered: tuple[CheckAnswer | None, ...]


def described(families: Iterable[Family], text: str) -> frozenset[str]:
    """The members of the families whose symptom a text describes in words."""
    text = text[:MAX_SIGNED_CHARS]
    return frozenset(id for family in families if shows(text, family.signs) for id in family.members)


def likely_family(families: Iterable[Family], text: str, probabilities: Mapping[str, float]) -> Likely | None:
    """The family whose members are likeliest together, those of a family whose symptom the text describes
    counting DESCRIBED times: two families that share members are told apart by it. None where there is none.

    `probabilities`: of the ranking, by entry.
    """
    text = text[:MAX_SIGNED_CHARS]
    masses = [(sum(probabilities.get(id, 0.0) for id in family.members), family) for family in families]
    if not masses:
        return None
    mass, family = max(masses, key=lambda each: each[0] * (DESCRIBED if shows(text, each[1].signs) else 1.0))
    return weighed(family, mass, text, probabilities)


def weighed(family: Family, probability: float, text: str, probabilities: Mapping[str, float]) -> Likely:
    """The family with its members in the order of the ranking and of what the text says of its checks."""
    answered = tuple(answer_in(text, check) for check in family.checks)
    mass = sum(probabilities.get(id, 0.0) for id in family.members) or 1.0
    shares = {
        id: max(probabilities.get(id, 0.0) / mass, MIN_MEMBER_SHARE) ** SHARE_POWER for id in family.members
    }
    for answer in answered:
        if answer is not None:
            shares = raised(shares, answer, SAID_ODDS)
    return Likely(family, round(probability, 4), ordered(family, shares), answered)


def raised(shares: Mapping[str, float], answer: CheckAnswer, odds: float = CHECK_ODDS) -> dict[str, float]:
    """The members' shares after an answer to a check; they add up to one."""
    result = {
        id: share * (odds if id in answer.raises else 1.0 / odds if id in answer.lowers else 1.0)
        for id, share in shares.items()
    }
    total = sum(result.values()) or 1.0
    return {id: share / total for id, share in result.items()}


def ordered(family: Family, shares: Mapping[str, float]) -> tuple[Member, ...]:
    """Members by share; equal ones in the family's own order."""
    total = sum(shares.values()) or 1.0
    order = sorted(family.members, key=lambda id: -shares[id])
    return tuple(Member(id, shares[id] / total) for id in order)


def contradicted(families: Iterable[Family], text: str, id: str) -> bool:
    """Whether the text says something that makes this entry less likely: that `eval()` is called, say."""
    text = text[:MAX_SIGNED_CHARS]
    return any(
        (answer := answer_in(text, check)) is not None and id in answer.lowers
        for family in families
        if id in family.members
        for check in family.checks
    )


def shows(text: str, signs: Sequence[str]) -> bool:
    """Whether a text shows one of these signs."""
    return any(compile_pattern(sign).search(text) for sign in signs)


def answer_in(text: str, check: Check) -> CheckAnswer | None:
    """The one answer to a check that a text gives; None where it gives none, or several."""
    found = [answer for answer in check.answers if shows(text, answer.signs)]
    return found[0] if len(found) == 1 else None


def best_check(family: Family, shares: Mapping[str, float], asked: Iterable[int]) -> int | None:
    """The number of the check whose answer tells most about the members; None where none is left."""
    left = [number for number in range(len(family.checks)) if number not in set(asked)]
    gains = {number: gain(family.checks[number], shares) for number in left}
    return max(left, key=lambda number: (gains[number], -number)) if left else None


def gain(check: Check, shares: Mapping[str, float]) -> float:
    """How much an answer is expected to narrow the members down: mutual information, in nats."""
    told = {id: _answers_of(check, id) for id in shares}
    total = 0.0
    for at in range(len(check.answers)):
        expected = sum(share * told[id][at] for id, share in shares.items())
        for id, share in shares.items():
            if share > 0.0 and told[id][at] > 0.0 and expected > 0.0:
                total += share * told[id][at] * math.log(told[id][at] / expected)
    return total


def _answers_of(check: Check, id: str) -> list[float]:
    """How often each answer is given where this member is the cause."""
    odds = [
        CHECK_ODDS if id in answer.raises else 1.0 / CHECK_ODDS if id in answer.lowers else 1.0
        for answer in check.answers
    ]
    return [each / sum(odds) for each in odds]
