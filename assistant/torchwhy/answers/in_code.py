"""What `torchwhy check` found in the user's own code, as evidence for a symptom that is told in words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.family import Family
from torchwhy.paste.complaint import calm
from torchwhy.retrieval.families import MAX_SIGNED_CHARS, shows
from torchwhy.text.language import Bilingual
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import escaped

from .answer import Answer, FamilyMatch, Match, Reason, rival_of
from .evidence import CodeFinding

# By how much a finding multiplies the odds of its entry. Conventions, far below what was measured: a rule
# reports more than half of the programs that have its mistake, and one in some 3,000 files of public code.
FOUND_ODDS: Mapping[str, float] = {"wrong": 100.0, "look": 5.0}
MIN_PRIOR = 0.02  # by the words alone, below which a finding says nothing of what was asked
MIN_FOUND = 0.5  # of the probability, from which the entry that was found is the answer


def with_code(answer: Answer, families: Iterable[Family], load: Callable[[str], Pitfall]) -> Answer:
    """The answer weighed by what was found in the user's code, which its evidence holds.

    Where the text tells a symptom in words, a finding multiplies the odds of its entry, which is the answer
    from MIN_FOUND on. A text with an error is left to its error, one in which nothing is said to be wrong to
    its words: there a finding only shows where the answer's own mistake stands. `families`: all there are;
    `load` gives an entry that no candidate is of.
    """
    by_id = first_of_each(answer.code or ())
    if answer.root is None and answer.python_error is None and calm(answer.paste) is None:
        text = answer.paste.text[:MAX_SIGNED_CHARS]
        told_of = {id for each in families if shows(text, each.signs) for id in each.members}
        answer = _weighed(_with_lent(answer, [id for id in by_id if id in told_of], load), by_id)
    reasons = {id: reason_of(each) for id, each in by_id.items()}

    def told(match: Match) -> Match:
        reason = reasons.get(match.id)
        return match if reason is None else match._replace(why=(*match.why, reason))

    family = answer.family
    return answer._replace(
        match=told(answer.match) if answer.match else None,
        rival=told(answer.rival) if answer.rival else None,
        candidates=tuple(told(each) for each in answer.candidates),
        family=family._replace(members=tuple(told(each) for each in family.members)) if family else None,
        likely=tuple(told(each) for each in answer.likely),
    )


def _with_lent(answer: Answer, ids: Sequence[str], load: Callable[[str], Pitfall]) -> Answer:
    """The answer with these entries among its candidates, none below MIN_PRIOR: each explains the symptom
    that the text tells, though its words may bring in none of them.
    """
    if answer.family is not None:
        return answer
    known = {each.id: each for each in answer.candidates}
    lent = {
        id: (known.get(id) or Match(id, 0.0, (), {}, load=load))._replace(probability=MIN_PRIOR)
        for id in ids
        if id not in known or known[id].probability < MIN_PRIOR
    }
    kept = [lent.get(each.id, each) for each in answer.candidates]
    return answer._replace(candidates=(*kept, *(each for id, each in lent.items() if id not in known)))


def first_of_each(findings: Iterable[CodeFinding]) -> dict[str, CodeFinding]:
    """One finding an entry: the first that is wrong, else the first."""
    by_id: dict[str, CodeFinding] = {}
    for each in findings:
        known = by_id.get(each.id)
        if known is None or (known.sure == "look" and each.sure == "wrong"):
            by_id[each.id] = each
    return by_id


def _weighed(answer: Answer, by_id: Mapping[str, CodeFinding]) -> Answer:
    """The answer with the odds of what was found multiplied: of the family's members where it is a family,
    else of the candidates.
    """
    family = answer.family
    pool = family.members if family else answer.candidates
    counts = {item.id for item in pool if item.id in by_id and (family or item.probability >= MIN_PRIOR)}
    weights = [
        item.probability * (FOUND_ODDS[by_id[item.id].sure] if item.id in counts else 1.0) for item in pool
    ]
    scale = 1.0 / (1.0 - sum(item.probability for item in pool) + sum(weights))
    changed = [
        item._replace(probability=round(weight * scale, 4))
        for item, weight in zip(pool, weights, strict=True)
    ]
    changed.sort(key=lambda item: -item.probability)  # stable: equal ones keep the text's order
    if not counts:
        return answer
    best = changed[0]
    answered = best.id in counts and best.probability >= MIN_FOUND
    if family and answered:
        return _answered_by(answer, *_beside(answer, changed))
    if family:
        return answer._replace(family=_family(family, changed))
    none = answer.none * scale
    if answered or (answer.match is not None and best.id == answer.match.id):
        return _answered_by(answer, changed, none)
    likely = tuple(changed[: len(answer.likely)])
    return answer._replace(
        candidates=tuple(changed), none=round(none, 4), match=None, rival=None, likely=likely
    )


def _beside(answer: Answer, members: Sequence[Match]) -> tuple[list[Match], float]:
    """The members of a family among all candidates, and the probability of none: what the family leaves is
    divided as the words divide it.
    """
    ids = {item.id for item in members}
    rest = [item for item in answer.candidates if item.id not in ids]
    left = max(0.0, 1.0 - sum(item.probability for item in members))
    share = left / (answer.none + sum(item.probability for item in rest) or 1.0)
    rest = [item._replace(probability=round(item.probability * share, 4)) for item in rest]
    return sorted([*members, *rest], key=lambda item: -item.probability), answer.none * share


def _answered_by(answer: Answer, candidates: Sequence[Match], none: float) -> Answer:
    match = candidates[0]
    return answer._replace(
        match=match,
        rival=rival_of(match, candidates),
        candidates=tuple(candidates),
        none=round(max(0.0, none), 4),
        family=None,
        likely=(),
        change=None,
    )


def _family(family: FamilyMatch, members: Sequence[Match]) -> FamilyMatch:
    """The family with its members in their new order; its own probability stays."""
    scale = family.probability / sum(member.probability for member in members)
    return family._replace(
        members=tuple(
            member._replace(probability=round(member.probability * scale, 4)) for member in members
        ),
    )


def place_of(finding: CodeFinding, lang: str) -> str:
    """file:line, of a notebook its cell too; as short as it is still found."""
    path = finding.path
    try:
        near = os.path.relpath(path)
    except ValueError:  # another drive
        near = path
    path = path if near.startswith("..") else near
    cell = f":{phrase('code_cell', lang, cell=str(finding.cell))}" if finding.cell else ""
    return escaped(f"{path}{cell}:{finding.line}")


def reason_of(finding: CodeFinding) -> Reason:
    """The finding as what speaks for its entry."""
    said = Bilingual(
        *(f"{place_of(finding, lang)}: {escaped(finding.message[lang])}" for lang in ("en", "zh"))
    )
    return Reason("code", said.en, None, "for", said)


def finding_of(answer: Answer, match: Match) -> CodeFinding | None:
    """Where the user's code shows the mistake of this candidate, else that of a look-alike."""
    found = first_of_each(each for each in answer.code or () if each.raises or answer.root is None)
    if match.id in found or not found:
        return found.get(match.id)
    alike = {pair.id for pair in match.pitfall.look_alikes}
    near = [each for id, each in found.items() if id in alike and each.sure == "wrong"]
    return near[0] if near and answer.root is not None else None


def found_says(answer: Answer, match: Match) -> str:
    """Where the user's code shows the mistake of this candidate, in a sentence; "" where it does not."""
    found = finding_of(answer, match)
    if found is None:
        return ""
    place, colon = place_of(found, answer.lang), "：" if answer.lang == "zh" else ": "
    return phrase("code_found", answer.lang, place=place) + colon + escaped(found.message[answer.lang])


def others_of(answer: Answer) -> list[CodeFinding]:
    """What is wrong in the user's code beside the answer: one finding an entry, no mere looks."""
    told = finding_of(answer, answer.match) if answer.match else None
    shown = {each.id for each in (answer.match, told) if each}
    shown |= {member.id for member in answer.family.members} if answer.family else set()
    shown |= {each.id for each in answer.likely}
    found = first_of_each(answer.code or ())
    return [each for id, each in found.items() if id not in shown and each.sure == "wrong"]
