"""Listening: each sentence of the user weighs the whole consultation anew, with the first text as its anchor.

What is so joins the text that is ranked; a reply to a check that was asked weighs the members of its family
(`checks`). An entry that a sentence contradicts (`law`) stands behind the others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from torchwhy.answers.answer import Answer, Match
from torchwhy.answers.build import with_branch
from torchwhy.answers.evidence import read_question
from torchwhy.answers.family_page import answer_label
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.family import Check, CheckAnswer, Family
from torchwhy.retrieval.families import answer_in, best_check
from torchwhy.retrieval.matcher import CLEAR_FROM, MAX_LISTED, MIN_LISTED
from torchwhy.text.language import LANGS, Bilingual

from .backend import Backend
from .checks import CheckReader
from .clauses import clauses
from .law import Law, rare_words
from .polarity import TRIED, Read, Statement, read_polarity

# Powers of what the first text, and all that is so, make likely; fitted on 129 written consultations. Which
# entries a sentence speaks of, read by terms or by meaning, made the consultations of others worse.
ANCHOR_WEIGHT, JOINT_WEIGHT = 0.49, 0.86
LEAST = 1e-3  # the probability of what a ranking does not name
ASKED = 2.0  # log odds by the answer to a check
MIN_FAMILY_SHARE = 0.35  # that a family's members have together, from which its checks are asked
MAX_CANDIDATES = 20
MAX_QUESTIONS = 4  # of one problem
# of the words of two sentences, from which the later one takes the place of the earlier
MIN_REPEATED_SHARE = 0.5
JOINS = frozenset(["so"])  # what is added to the text that is ranked
MAX_COMPARED = 10  # of the likeliest entries, which sentences may contradict
BEHIND = 1.1  # log odds that one loses which is contradicted; fitted with the two above
MIN_SPOKEN_OF = 0.6  # of a sentence to a check, from which it speaks of what the check asks
MIN_TOLD = 0.6  # probability from which a sentence of the first text is taken for a remedy that was tried

CheckKey = tuple[str, int]  # a family's id and the number of its check


class Heard(NamedTuple):
    """A sentence, and the check that it answers. `label`: how it is said back, where it only picked one."""

    statement: Statement
    answers: Mapping[CheckKey, CheckAnswer] = {}
    label: Bilingual | None = None


@dataclass(eq=False)
class Case:
    """What is known of one problem: the first answer and what was said since.

    `asked`: the checks that the chat asked; `open`: the one that waits for an answer; `rejected`: what the
    user ruled out by a word, `against`: what a sentence contradicts.
    """

    assistant: Backend
    law: Law
    anchor: Answer
    source: bool = False
    heard: list[Heard] = field(default_factory=list)
    asked: set[CheckKey] = field(default_factory=set)
    open: tuple[CheckKey, Check] | None = None
    rejected: set[str] = field(default_factory=set)
    against: dict[str, Statement] = field(default_factory=dict)
    reader: CheckReader = field(init=False)

    def __post_init__(self) -> None:
        self.reader = CheckReader(self.assistant)

    @property
    def statements(self) -> list[Statement]:
        return [each.statement for each in self.heard]

    @property
    def settled(self) -> bool:
        """Whether the first text shows an entry's own message."""
        return self.anchor.match is not None and self.anchor.match.signature is not None

    def begin(self) -> Answer:
        """The first answer, weighed by what its own text says was tried."""
        if self.settled or not self.anchor.found:
            return self.anchor
        parts = clauses(self.anchor.paste.words or ("" if self.anchor.root else self.anchor.paste.text))
        reads = [(text, read or read_polarity(text)) for text, read in parts]
        tried = [
            (text, read)
            for text, read in reads
            if read.polarity in TRIED and read.probability >= MIN_TOLD and len(parts) > 1
        ]
        return self.hear(tried, self.anchor.lang) if tried else self.anchor

    def hear(
        self, said: Sequence[tuple[str, Read | None]], lang: str, answers: Mapping[CheckKey, CheckAnswer] = {}
    ) -> Answer:
        """The answer after these sentences. `answers`: what they are known to answer."""
        for text, known in said:
            self._replace_repeated(text, answers)
            self.heard.append(Heard(Statement(text, known or read_polarity(text)), answers))
        return self._weighed(lang)

    def remember(self, text: str) -> None:
        """What a text says was tried, whatever it is answered with."""
        known = {each.text for each in self.statements}
        for clause, read in clauses(text):
            said = Statement(clause, read or read_polarity(clause))
            if clause not in known and said.read.polarity in TRIED:
                self.heard.append(Heard(said))

    def note_answers(self, text: str, answers: Mapping[CheckKey, CheckAnswer], lang: str) -> Answer:
        """The answer after a reply that only picks an answer, or says that it is not known."""
        for (id, number), each in answers.items():
            ask = self.assistant.store.families[id].checks[number].ask
            labels = (f"{ask[lang]} {answer_label(each, lang)}" for lang in LANGS)
            self.heard.append(Heard(Statement(text, Read("so", 1.0)), answers, Bilingual(*labels)))
        return self._weighed(lang)

    @property
    def anchor_id(self) -> str | None:
        """The entry that the first text shows."""
        return self.anchor.match.id if self.anchor.match else None

    def question(self, answer: Answer) -> Check | None:
        """The check to ask now, which waits for an answer from then on; None where one entry is the answer or
        enough were asked.
        """
        self.open = None
        if not (answer.family or answer.likely) or len(self.asked) >= MAX_QUESTIONS:
            return None
        self.open = self._check(_probabilities(answer))
        if self.open is None:
            return None
        self.asked.add(self.open[0])
        return self.open[1]

    @property
    def told(self) -> dict[CheckKey, CheckAnswer]:
        """The last answer to every check that was answered."""
        return {key: answer for each in self.heard for key, answer in each.answers.items()}

    def _joint(self, lang: str) -> Answer:
        """The answer to the first text and everything that is so."""
        so = [
            each.statement.text
            for each in self.heard
            if each.statement.read.polarity in JOINS and not each.label
        ]
        if not so or self.settled:
            return self.anchor
        return self.assistant.ask(
            read_question("\n".join((self.anchor.paste.text, *so))),
            lang=lang,
            facts=self.anchor.facts,
            source=self.source,
        )

    def _likely(self, joint: Answer) -> dict[str, float]:
        """How likely each entry in play is by the rankings."""
        first, whole = _probabilities(self.anchor), _probabilities(joint)
        if joint is self.anchor:
            return {id: max(LEAST, each) for id, each in first.items()}
        return {
            id: max(LEAST, first.get(id, 0.0)) ** ANCHOR_WEIGHT
            * max(LEAST, whole.get(id, 0.0)) ** JOINT_WEIGHT
            for id in (first | whole)
        }

    def _replace_repeated(self, text: str, found: Mapping[CheckKey, CheckAnswer]) -> None:
        """A sentence about the same thing, or that answers the same check otherwise, takes the place of the
        earlier one: so the user corrects it.
        """
        words = rare_words(text)
        for each in list(self.heard):
            otherwise = any(found.get(key, answer) != answer for key, answer in each.answers.items())
            if otherwise or _alike(words, rare_words(each.statement.text)) >= MIN_REPEATED_SHARE:
                self.heard.remove(each)

    def _weighed(self, lang: str) -> Answer:
        """The answer with every candidate's probability as all that was said makes it."""
        joint = self._joint(lang)
        likely = self._likely(joint)
        scores = {id: math.log(each) for id, each in likely.items()}
        for answer in self.told.values():
            for ids, odds in ((answer.raises, ASKED), (answer.lowers, -ASKED)):
                scores.update({id: scores[id] + odds for id in ids if id in scores})
        for id in self.rejected:
            scores.pop(id, None)
        compared = dict.fromkeys((*_first(likely)[:MAX_COMPARED], *_first(scores)[:MAX_COMPARED]))
        self.against = self._contradicted([id for id in compared if id in scores])
        for id in self.against:
            scores[id] -= BEHIND
        return self._decided(joint, _softmax(scores))

    def _contradicted(self, ids: Sequence[str]) -> dict[str, Statement]:
        """Of these entries those that a sentence, or an answer to a check, speaks against; with that."""
        settled = self.anchor_id if self.settled else None  # its own message is there, whatever was tried
        load = self.assistant.store.pitfall
        pairs = ((id, each) for id in ids for each in reversed(self.heard) if id != settled)
        return {id: each.statement for id, each in pairs if self._speaks_against(each, load(id))}

    def _speaks_against(self, heard: Heard, entry: Pitfall) -> bool:
        if any(entry.id in answer.raises for answer in heard.answers.values()):
            return False
        lowered = any(entry.id in answer.lowers for answer in heard.answers.values())
        return lowered or self.law.contradicts(heard.statement, entry)

    def agrees(self, statement: Statement, answer: CheckAnswer) -> bool:
        """Whether a sentence may give an answer: it does not contradict all that this speaks for."""
        load = self.assistant.store.pitfall
        against = [self.law.contradicts(statement, load(id)) for id in answer.raises]
        return not against or not all(against)

    def _decided(self, joint: Answer, shares: Mapping[str, float]) -> Answer:
        """One entry where it stands clear, else the first ones together."""
        known = {match.id: match for answer in (self.anchor, joint) for match in _matches(answer)}
        load = self.assistant.store.pitfall
        ranked = tuple(
            known.get(id, Match(id, 0.0, (), {}, load=load))._replace(probability=round(shares[id], 4))
            for id in _first(shares)
        )
        answer = joint._replace(candidates=ranked, rival=None, family=None, match=None, likely=(), none=0.0)
        listed = tuple(match for match in ranked[:MAX_LISTED] if match.probability >= MIN_LISTED)
        if len(listed) > 1 and listed[0].probability < CLEAR_FROM and not self.settled:
            return answer._replace(likely=listed)
        if not ranked:
            return answer
        return with_branch(answer._replace(match=ranked[0]), self.assistant.store)

    def _check(self, shares: Mapping[str, float]) -> tuple[CheckKey, Check] | None:
        """What tells the likeliest family's members apart best, among what nothing said so far speaks of."""

        def mass(family: Family) -> float:
            return sum(shares.get(id, 0.0) for id in family.members)

        family = max(self.assistant.store.families.values(), key=mass, default=None)
        if family is None or mass(family) < MIN_FAMILY_SHARE * sum(shares.values()):
            return None
        said = [text for text, _ in clauses(self.anchor.paste.words)]
        said += [each.statement.text for each in self.heard if not each.label]
        done = {number for id, number in (*self.told, *self.asked) if id == family.id}
        told = "\n".join((self.anchor.paste.text, *said))
        done |= {number for number, check in enumerate(family.checks) if answer_in(told, check)}
        members = {id: shares.get(id, 0.0) for id in family.members}
        while (best := best_check(family, members, done)) is not None:
            check = family.checks[best]
            if all(self.reader.nearness(text, check) < MIN_SPOKEN_OF for text in said):
                return (family.id, best), check
            done.add(best)
        return None


def _matches(answer: Answer) -> list[Match]:
    members = answer.family.members if answer.family else ()
    return [*members, *answer.candidates]


def _probabilities(answer: Answer) -> dict[str, float]:
    """How likely an answer makes each entry in play; of a family's members, as the family has them."""
    return {match.id: match.probability for match in reversed(_matches(answer))}


def _first(likely: Mapping[str, float]) -> list[str]:
    """The likeliest entries, best first."""
    return sorted(likely, key=lambda id: -likely[id])[:MAX_CANDIDATES]


def _softmax(scores: Mapping[str, float]) -> dict[str, float]:
    highest = max(scores.values(), default=0.0)
    raised = {id: math.exp(score - highest) for id, score in scores.items()}
    total = sum(raised.values()) or 1.0
    return {id: each / total for id, each in raised.items()}


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
