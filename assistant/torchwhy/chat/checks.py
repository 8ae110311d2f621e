"""Which answer to a check a sentence gives, in whatever words: by signs, else by what it means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from torchwhy.answers.family_page import answer_label
from torchwhy.knowledge.family import NO, YES, Check, CheckAnswer, Family
from torchwhy.retrieval.families import answer_in
from torchwhy.text.language import LANGS

from .backend import Backend
from .intents import ordinal
from .likeness import Likeness
from .polarity import Read, read_polarity

# Cosines of the sentence's vector with the question (answered by yes or no) and with an answer's label.
MIN_QUESTION_COSINE, MIN_LABEL_COSINE = 0.6, 0.5
MIN_ASKED_COSINE = 0.35  # the same where the question was just asked
MIN_LEAD = 0.1  # of the nearest label over the next
# How many GPUs or processes; the groups are those of "one".
COUNTED = re.compile(
    r"\b(?P<one>one|1|a single|single)\b(?: \w+)? (?:gpus?|cards?|process|machine)"
    r"|\b(?:several|two|three|four|[2-9]|many|multiple) (?:\w+ )?(?:gpus|cards|processes|machines)"
    r"|(?P<one_zh>[一单1])\s*[张块个台]?\s*(?:显卡|GPU|卡|进程|机)"
    r"|[两二三四多2-9]\s*[张块个台]?\s*(?:显卡|GPU|卡|进程|机)",
    re.IGNORECASE,
)
SAID_YES = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|y|it does|they do)(?:$|[\s,.!;])|是|对|会|有|嗯|能|可以|还|仍)", re.IGNORECASE
)
SAID_NO = re.compile(r"^(?:(?:no|nope|nah|n|it does ?n[o']t)(?:$|[\s,.!;])|不|否|没|无)", re.IGNORECASE)
MAX_BARE_CHARS = 6  # of a reply that says yes or no and nothing more
MAX_REPLY_CHARS = 400  # a longer text is no answer to a question
AFFIRMS, DENIES = frozenset(["so", "done", "helped"]), frozenset(["not", "failed"])


class CheckReader:
    """Reads sentences as answers to checks."""

    def __init__(self, assistant: Backend) -> None:
        self._likeness = Likeness(assistant.matcher)

    def reply(self, text: str, check: Check, others: Sequence[Check] = ()) -> tuple[bool, CheckAnswer | None]:
        """(whether a text answers the check that was asked, the answer; None for "I don't know").

        `others`: the family's other checks, to one of which the text may be nearer.
        """
        text = " ".join(text.split()).strip(" .。!！")
        if not text or len(text) > MAX_REPLY_CHARS or text.endswith(("?", "？")):
            return False, None
        exact = next((each for each in check.answers if text.lower() in _labels(each)), None)
        if exact is not None:
            return True, exact
        read = read_polarity(text)
        if read.polarity == "unknown":
            return True, None
        number = ordinal(text)
        if number:
            found = check.answers[number - 1] if number <= len(check.answers) else None
        else:
            own = self.nearness(text, check)
            # what begins with "no" and goes on may tell of something else
            bare = len(text) <= MAX_BARE_CHARS or own >= MIN_ASKED_COSINE
            found = _by_yes_or_no(text, check) if bare else None
            if found is None and all(self.nearness(text, other) <= own for other in others):
                found = self.answer(text, read, check, asked=True)
        return found is not None, found

    def answers(
        self, text: str, read: Read, families: Iterable[Family]
    ) -> dict[tuple[str, int], CheckAnswer]:
        """What a sentence answers of these families' checks, by family and number."""
        found = {}
        for family in families:
            told = [
                (self.nearness(text, check), number, answer)
                for number, check in enumerate(family.checks)
                if (answer := self.answer(text, read, check)) is not None
            ]
            if told:  # a sentence answers one check of a family: the one that it is nearest to
                _, number, answer = max(told, key=lambda each: each[0])
                found[family.id, number] = answer
        return found

    def nearness(self, text: str, check: Check) -> float:
        """How near a sentence is to what a check asks, or to one of its answers."""
        texts = [check.ask, *(each.label for each in check.answers if each.label)]
        return max(self._likeness.of(text, each) for each in texts)

    def answer(self, text: str, read: Read, check: Check, *, asked: bool = False) -> CheckAnswer | None:
        """The one answer that a sentence gives; None where it gives none. `asked`: it was said in reply."""
        counted = _by_count(text, check)
        if counted is not None or (read.polarity == "not" and not asked):
            return counted  # what is denied may be anything
        signed = answer_in(text, check)
        if signed is not None:
            return signed
        if any(each.label for each in check.answers):
            return self._by_label(text, read, check, MIN_ASKED_COSINE if asked else MIN_LABEL_COSINE)
        return self._by_question(text, read, check, MIN_ASKED_COSINE if asked else MIN_QUESTION_COSINE)

    def _by_label(self, text: str, read: Read, check: Check, floor: float) -> CheckAnswer | None:
        """The answer whose label means the most like the sentence; of two the other one, where the sentence
        denies it.
        """
        near = sorted(
            (
                (self._likeness.of(text, each.label), at)
                for at, each in enumerate(check.answers)
                if each.label
            ),
            reverse=True,
        )
        lead = near[0][0] - near[1][0] if len(near) > 1 else near[0][0]
        if near[0][0] < floor or lead < MIN_LEAD:
            return None
        found, *others = (check.answers[at] for _, at in near)
        if read.polarity == "not" and all(read_polarity(label).polarity != "not" for label in _labels(found)):
            return others[0] if len(others) == 1 else None
        return found

    def _by_question(self, text: str, read: Read, check: Check, floor: float) -> CheckAnswer | None:
        """Yes or no, where the sentence speaks of what is asked."""
        if self._likeness.of(text, check.ask) < floor:
            return None
        said = YES if read.polarity in AFFIRMS else NO if read.polarity in DENIES else None
        if "still" in check.ask.en and read.polarity in ("helped", "failed"):
            said = NO if said == YES else YES  # "does it still grow?" is answered by what does not help
        return next((each for each in check.answers if each.id == said), None)


def count_of(text: str) -> str | None:
    """How many GPUs or processes a text says first: "one" or "several"; None where it does not say."""
    found = COUNTED.search(text)
    return None if found is None else "one" if found["one"] or found["one_zh"] else "several"


def _by_count(text: str, check: Check) -> CheckAnswer | None:
    """The answer that says as many GPUs or processes as the sentence."""
    told = count_of(text)
    labels = {count_of(each.label.en): each for each in check.answers if each.label}
    return labels.get(told) if told and {"one", "several"} <= labels.keys() else None


def _by_yes_or_no(text: str, check: Check) -> CheckAnswer | None:
    said = YES if SAID_YES.match(text) else NO if SAID_NO.match(text) else None
    return next((answer for answer in check.answers if answer.id == said), None)


def _labels(answer: CheckAnswer) -> tuple[str, ...]:
    return tuple(answer_label(answer, lang).lower() for lang in LANGS)
