"""Asking back: the checks of a family, one at a time, each weighed by the user's answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from torchwhy.answers.answer import FamilyMatch, Match
from torchwhy.knowledge.family import NO, YES, Check, CheckAnswer, Family
from torchwhy.retrieval.families import answer_in, best_check, raised

from .intents import ordinal

MAX_REPLY_CHARS = 400  # a longer text is no answer to a question
CLEAR_SHARE, CLEAR_LEAD = 0.5, 2.0  # of the members' probability, from which one is taken for the cause
MIN_LABEL_SHARE = 0.4  # of the words of a label and a reply together that both have
MIN_WORD_CHARS = 3

UNKNOWN = re.compile(
    r"^(?:(?:i )?(?:don'?t|do not|can'?t|cannot) (?:know|tell|say|check)|not sure|no idea|unknown|skip|pass|unsure|"
    r"(?:我)?(?:不知道|不清楚|不确定|没法(?:查|看|试)|跳过|说不准|不好说))",
    re.IGNORECASE,
)
SAID_YES = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|y|it does|they do)(?:$|[\s,.!;])|是|对|会|有|嗯|能|可以|还|仍)", re.IGNORECASE
)
SAID_NO = re.compile(r"^(?:(?:no|nope|nah|n|it does ?n[o']t)(?:$|[\s,.!;])|不|否|没|无)", re.IGNORECASE)
WORD = re.compile(r"[a-z0-9_%.=]+", re.IGNORECASE)
HAN_RUN = re.compile(r"[\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Consultation:
    """What is known so far: each member's share, the checks that were asked, and the one that waits for an
    answer.
    """

    match: FamilyMatch
    shares: Mapping[str, float]
    asked: tuple[int, ...]
    current: int

    @property
    def family(self) -> Family:
        return self.match.family

    @property
    def check(self) -> Check:
        return self.family.checks[self.current]

    @property
    def members(self) -> tuple[Match, ...]:
        """The members, best first, with what the answers so far make of each."""
        weighed = [
            member._replace(probability=round(self.match.probability * self.shares[member.id], 4))
            for member in self.match.members
        ]
        return tuple(sorted(weighed, key=lambda member: -member.probability))

    @property
    def clear(self) -> bool:
        """Whether one member stands clear of the others."""
        first, *rest = sorted(self.shares.values(), reverse=True)
        return first >= CLEAR_SHARE and (not rest or first >= CLEAR_LEAD * rest[0])


def opened(match: FamilyMatch) -> Consultation | None:
    """The consultation on a family, with its most telling check; None where the text has answered all."""
    total = sum(member.probability for member in match.members) or 1.0
    shares = {member.id: member.probability / total for member in match.members}
    left = [match.family.checks.index(check) for check in match.checks]
    asked = tuple(number for number in range(len(match.family.checks)) if number not in left)
    current = best_check(match.family, shares, asked)
    return None if current is None else Consultation(match, shares, asked, current)


def next_step(consultation: Consultation, answer: CheckAnswer | None) -> tuple[Consultation, bool]:
    """(the consultation after an answer, or after "I don't know"; whether there is something left to ask)."""
    shares = raised(consultation.shares, answer) if answer else consultation.shares
    asked = (*consultation.asked, consultation.current)
    current = best_check(consultation.family, shares, asked)
    step = replace(consultation, shares=shares, asked=asked)
    if current is None or (answer is not None and step.clear):
        return step, False
    return replace(step, current=current), True


def read_reply(text: str, check: Check) -> tuple[bool, CheckAnswer | None]:
    """(whether the text answers the check, the answer; None for "I don't know")."""
    text = " ".join(text.split()).strip(" .。!！")
    if not text or len(text) > MAX_REPLY_CHARS or text.endswith(("?", "？")):
        return False, None
    if UNKNOWN.search(text):
        return True, None
    found = (
        _by_number(text, check)
        or _by_yes_or_no(text, check)
        or answer_in(text, check)
        or _by_label(text, check)
    )
    return found is not None, found


def _by_number(text: str, check: Check) -> CheckAnswer | None:
    number = ordinal(text)
    return check.answers[number - 1] if number and number <= len(check.answers) else None


def _by_yes_or_no(text: str, check: Check) -> CheckAnswer | None:
    said = YES if SAID_YES.match(text) else NO if SAID_NO.match(text) else None
    return next((answer for answer in check.answers if answer.id == said), None)


def _by_label(text: str, check: Check) -> CheckAnswer | None:
    """The answer whose label the text repeats most of, in either language."""
    words = _words(text)
    scores = []
    for answer in check.answers:
        labels = [_words(answer.label.en), _words(answer.label.zh)] if answer.label else []
        scores.append(
            max(
                (2 * len(words & label) / (len(words) + len(label)) for label in labels if label), default=0.0
            )
        )
    best = max(scores)
    if best < MIN_LABEL_SHARE or scores.count(best) > 1:
        return None
    return check.answers[scores.index(best)]


def _words(text: str) -> set[str]:
    """Words of a Latin text, pairs of characters of a Chinese one."""
    words = {word for word in WORD.findall(text.lower()) if len(word) >= MIN_WORD_CHARS or word.isdigit()}
    for run in HAN_RUN.findall(text):
        words |= {run[at : at + 2] for at in range(max(1, len(run) - 1))}
    return words
