"""What facts of a machine say for or against the first candidates of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from torchwhy.knowledge.conditions import comparisons, holds
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.vocabulary import canonical, is_fact, is_version, shown

from .answer import Answer, FamilyMatch, Reason, rival_of

if TYPE_CHECKING:
    from torchwhy.knowledge.facts import Facts

LOOKED_AT = 3  # candidates for which the machine's facts are looked at
FACT_ODDS = 2.0  # a convention, not fitted: no labelled text comes with its machine
MOST_FACTS = 2  # facts that count for one candidate


def with_facts(answer: Answer, facts: Facts) -> Answer:
    """The answer with what these facts say for or against its first candidates.

    A fact that speaks for a candidate multiplies its odds by FACT_ODDS, one that speaks against divides them:
    enough to decide between two that the text leaves close, too little to overrule what the text says.
    Whether anything is answered at all stays the text's business.
    """
    looked = list(answer.candidates)[:LOOKED_AT]
    reasons = [fact_reasons(item.pitfall, facts) for item in looked]
    odds = [_odds(said) if answer.facts is None else 1.0 for said in reasons]
    weights = [item.probability * by for item, by in zip(looked, odds, strict=True)]
    rest = list(answer.candidates)[len(looked) :]
    before = sum(item.probability for item in looked)
    scale = (
        1.0 / (1.0 - before + sum(weights)) if any(by != 1.0 for by in odds) else 1.0
    )  # all candidates and none still add up to one
    changed = [
        item._replace(why=(*item.why, *said), probability=round(weight * scale, 4))
        for item, said, weight in zip(looked, reasons, weights, strict=True)
    ]
    family = answer.family
    if family is not None and answer.facts is None:
        family = _family_with_facts(family, facts)
    changed.sort(key=lambda item: -item.probability)  # stable: equal ones keep the text's order
    candidates = (*changed, *(item._replace(probability=round(item.probability * scale, 4)) for item in rest))
    match = candidates[0] if answer.match and candidates else None
    likely = candidates[: len(answer.likely)]
    return answer._replace(
        match=match,
        rival=rival_of(match, candidates),
        candidates=candidates,
        none=round(answer.none * scale, 4),
        evidence=answer.evidence._replace(facts=facts),
        family=family,
        likely=likely,
    )


def _family_with_facts(family: FamilyMatch, facts: Facts) -> FamilyMatch:
    """The family with its members weighed by what the facts say of each; its own probability stays."""
    reasons = [fact_reasons(member.pitfall, facts) for member in family.members]
    weights = [member.probability * _odds(said) for member, said in zip(family.members, reasons, strict=True)]
    scale = family.probability / (sum(weights) or 1.0)
    members = [
        member._replace(why=(*member.why, *said), probability=round(weight * scale, 4))
        for member, said, weight in zip(family.members, reasons, weights, strict=True)
    ]
    return family._replace(members=tuple(sorted(members, key=lambda member: -member.probability)))


def _odds(reasons: Sequence[Reason]) -> float:
    """By what facts multiply the odds of a candidate."""
    net = sum(1 if reason.speaks == "for" else -1 for reason in reasons)
    return float(FACT_ODDS ** max(-MOST_FACTS, min(MOST_FACTS, net)))


def fact_reasons(entry: Pitfall, facts: Facts) -> tuple[Reason, ...]:
    """The entry's rules that hold for these facts. A rule that needs a fact nobody knows says nothing."""
    reasons = []
    for rule in entry.facts:
        names = dict.fromkeys(
            name for left, _, right in comparisons(rule.when) for name in (*left, right) if is_fact(name)
        )
        found = {name: facts.get(name) for name in names}
        values = {name: fact.value for name, fact in found.items()}
        if all(fact.known for fact in found.values()) and holds(
            rule.when, values, {name for name in names if is_version(name)}
        ):
            told = tuple((canonical(name), shown(name, value)) for name, value in values.items())
            reason = Reason("fact", "", None, rule.speaks, rule.text, told, facts.origin)
            reasons.append(reason._replace(text=reason.text_in("en")))
    return tuple(reasons)
