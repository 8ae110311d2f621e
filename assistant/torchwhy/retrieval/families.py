"""Which family a text speaks of: several entries explain one symptom, and the text does not decide which.

A family's evidence is what the ranking gives its members together, and whether the text describes its symptom
in words (`signs`). What the text says of a family's checks ("it worked with num_workers=0") orders the
members.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from torchwhy.knowledge.family import Check, CheckAnswer, Family
from torchwhy.knowledge.patterns import compile_pattern
from torchwhy.text.language import HAN

CHECK_ODDS = 4.0  # by which an answer to a check multiplies, or divides, the odds of a member
SAID_ODDS = 2.0  # the same where a text only mentions what answers a check: it may mean something else
MIN_MEMBER_SHARE = 0.01  # of the members' probability, what one that the ranking never brought in is given
# The ranking puts the right member of a family first in half of the texts and among the first three in nine
# of ten: its odds between members are too steep for an answer to a check to overrule, so their square root is
# taken.
SHARE_POWER = 0.5
MAX_SIGNED_CHARS = 4000  # of a text, where signs are looked for
MAX_MATCH = 0.75  # an entry that is surer than this is the answer, whatever family it is in
MAX_CONTRADICTED = 0.97  # the same of an entry that something in the text speaks against
# Log odds that a family is the right one: a logistic regression on questions of users in the
# wild, labelled with their family.
BIAS, MASS_WEIGHT, SIGN_WEIGHT, NONE_WEIGHT = -1.9, 2.3, 2.5, -1.45
SHORT_WEIGHT = 1.2  # where the symptom is all that a short text says
SHORT_CHARS = 45  # a Chinese character counts as two
MIN_PROBABILITY = 0.55


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


def likely_family(
    families: Iterable[Family], text: str, probabilities: Mapping[str, float], none: float
) -> Likely | None:
    """The family that explains a text in words best, if one is likely enough.

    `probabilities`: of the ranking, by entry; `none`: that nothing known fits.
    """
    text = text[:MAX_SIGNED_CHARS]
    short = is_short(text)
    masses = [(sum(probabilities.get(id, 0.0) for id in family.members), family) for family in families]
    best: tuple[float, Family] | None = None
    for mass, family in sorted(masses, key=lambda each: -each[0]):
        if best is not None and family_probability(mass, none, True, short=short) <= best[0]:
            continue  # its signs, which take long to compile, could not lift it above the best
        signed = shows(text, family.signs)
        probability = family_probability(mass, none, signed, short=signed and short)
        if best is None or probability > best[0]:
            best = probability, family
    if best is None or best[0] < MIN_PROBABILITY:
        return None
    return weighed(best[1], best[0], text, probabilities)


def family_probability(mass: float, none: float, signed: bool, *, short: bool = False) -> float:
    """How likely a family is, by what its members have together and whether the text describes its
    symptom.
    """
    odds = BIAS + MASS_WEIGHT * mass + NONE_WEIGHT * none + SIGN_WEIGHT * signed + SHORT_WEIGHT * short
    return 1.0 / (1.0 + math.exp(-odds))


def is_short(text: str) -> bool:
    return len(text.strip()) + len(HAN.findall(text[: 2 * SHORT_CHARS])) <= SHORT_CHARS


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
