"""Which answer to a check a reply gives, in whatever words: by signs, else by what it means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from torchwhy.answers.family_page import answer_label
from torchwhy.knowledge.family import NO, YES, Check, CheckAnswer
from torchwhy.retrieval.families import answer_in
from torchwhy.text.language import LANGS
from torchwhy.text.width import width_of

from .backend import Backend
from .clauses import clauses
from .intents import ordinal
from .likeness import Likeness
from .polarity import Read, read_polarity

# Cosines of the sentence's vector with the question (answered by yes or no) and with an answer's label.
MIN_QUESTION_COSINE, MIN_LABEL_COSINE = 0.35, 0.5
MIN_LEAD = 0.2  # of the nearest label over the next
SAID_YES = re.compile(
    r"^(?:(?:yes|yeah|yep|yup|y|it does|they do)(?:$|[\s,.!;])|是|对|会|有|嗯|能|可以|还|仍)", re.IGNORECASE
)
SAID_NO = re.compile(r"^(?:(?:no|nope|nah|n|it does ?n[o']t)(?:$|[\s,.!;])|不|否|没|无)", re.IGNORECASE)
MAX_BARE_CHARS = 6  # of a reply that says yes or no and nothing more
MAX_REPLY_COLUMNS = 100  # a longer text, or several sentences, tells more than the answer to a question
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
        exact = next((each for each in check.answers if text.lower() in _labels(each)), None)
        if exact is not None:
            return True, exact
        tells_more = width_of(text) > MAX_REPLY_COLUMNS or len(clauses(text)) > 1
        if not text or tells_more or text.endswith(("?", "？")):
            return False, None
        read = read_polarity(text)
        if read.polarity == "unknown":
            return True, None
        number = ordinal(text)
        if number:
            found = check.answers[number - 1] if number <= len(check.answers) else None
        else:
            own = self.nearness(text, check)
            # what begins with "no" and goes on may tell of something else
            bare = len(text) <= MAX_BARE_CHARS or own >= MIN_QUESTION_COSINE
            found = _by_yes_or_no(text, check) if bare else None
            if found is None and all(self.nearness(text, other) <= own for other in others):
                found = self.answer(text, read, check)
        return found is not None, found

    def nearness(self, text: str, check: Check) -> float:
        """How near a sentence is to what a check asks, or to one of its answers."""
        texts = [check.ask, *(each.label for each in check.answers if each.label)]
        return max(self._likeness.of(text, each) for each in texts)

    def answer(self, text: str, read: Read, check: Check) -> CheckAnswer | None:
        """The one answer that a reply gives; None where it gives none."""
        signed = answer_in(text, check)
        if signed is not None and read.polarity != "not":
            return signed
        if any(each.label for each in check.answers):
            return self._by_label(text, read, check)
        return self._by_question(text, read, check)

    def _by_label(self, text: str, read: Read, check: Check) -> CheckAnswer | None:
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
        if near[0][0] < MIN_LABEL_COSINE or lead < MIN_LEAD:
            return None
        found, *others = (check.answers[at] for _, at in near)
        if read.polarity == "not" and all(read_polarity(label).polarity != "not" for label in _labels(found)):
            return others[0] if len(others) == 1 else None
        return found

    def _by_question(self, text: str, read: Read, check: Check) -> CheckAnswer | None:
        """Yes or no, where the sentence speaks of what is asked."""
        if self._likeness.of(text, check.ask) < MIN_QUESTION_COSINE:
            return None
        said = YES if read.polarity in AFFIRMS else NO if read.polarity in DENIES else None
        if "still" in check.ask.en and read.polarity in ("helped", "failed"):
            said = NO if said == YES else YES  # "does it still grow?" is answered by what does not help
        return next((each for each in check.answers if each.id == said), None)


def _by_yes_or_no(text: str, check: Check) -> CheckAnswer | None:
    said = YES if SAID_YES.match(text) else NO if SAID_NO.match(text) else None
    return next((answer for answer in check.answers if answer.id == said), None)


def _labels(answer: CheckAnswer) -> tuple[str, ...]:
    return tuple(answer_label(answer, lang).lower() for lang in LANGS)
