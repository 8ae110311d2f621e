"""Listening: each sentence of the user weighs the whole consultation anew, with the first text as its anchor.

What is so, is not so or helped joins the text that is ranked; each sentence speaks for or against entries as
well (`bearing`), and answers the checks of the families in play (`checks`), asked or not. An entry that a
sentence contradicts (`law`) stands behind the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from torchwhy.answers.answer import Answer, FamilyMatch, Match
from torchwhy.answers.build import with_branch
from torchwhy.answers.evidence import read_question
from torchwhy.answers.family_page import answer_label
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.family import Check, CheckAnswer, Family
from torchwhy.retrieval.families import best_check
from torchwhy.retrieval.tokens import all_tokens
from torchwhy.text.language import LANGS, Bilingual

from .backend import Backend
from .bearing import Bearings, Statement
from .checks import CheckReader
from .clauses import clauses
from .excerpts import COMMON_TOKENS
from .law import Law
from .polarity import TRIED, Read, read_polarity

ANCHOR_WEIGHT, JOINT_WEIGHT = 0.24, 0.56  # powers of what the first text, and all that was said, make likely
LEAST = 1e-3  # the probability of what a ranking does not name
ASKED = 2.0  # log odds by the answer to a check that was asked
RAISES, LOWERS = 0.85, -1.08  # log odds of an entry by a check that a sentence answers without being asked
CLEAR_SHARE, CLEAR_LEAD = 0.5, 2.0  # of the probability, from which one entry is taken for the cause
MIN_FAMILY_SHARE = 0.35  # that a family's members have together, from which it stays what is asked about
MIN_READ_SHARE = 0.05  # the same, from which sentences are read as answers to its checks
MAX_AGAINST_SETTLED = 1.5  # log odds that sentences take from the entry whose own message was shown
MAX_CANDIDATES = 20
MAX_QUESTIONS = 4  # of one problem
# of the words of two sentences, from which the later one takes the place of the earlier
MIN_REPEATED_SHARE = 0.5
JOINS = frozenset(["so"])  # what is added to the text that is ranked
TELLING = frozenset(["done"])  # what tells how the program is, where it names no remedy
MAX_COMPARED = 10  # of the likeliest entries, which sentences may contradict
BEHIND = 4.0  # log odds that one loses which is contradicted
MIN_SPOKEN_OF = 0.6  # of a sentence to a check, from which it speaks of what the check asks
MIN_TOLD = 0.6  # probability from which a sentence of the first text is taken for a remedy that was tried

CheckKey = tuple[str, int]  # a family's id and the number of its check


class Heard(NamedTuple):
    """A sentence, and the checks that it answers. `label`: how it is said back, where it only picked one."""

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
    bearings: Bearings
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
    def ruled_out(self) -> set[str]:
        """What is not to be proposed."""
        return {*self.rejected, *self.against}

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
        reads = self._as_meant(said, lang)
        joint = self._joint([text for text, read in reads if read.polarity in JOINS], lang)
        likely = self._likely(joint)
        readable = self._families(likely, MIN_READ_SHARE)
        for text, read in reads:
            statement = self.bearings.state(text, likely, read)
            read_in = self.reader.answers(text, statement.read, readable)
            found = {key: each for key, each in read_in.items() if self.agrees(statement, each)} | {**answers}
            if answers:  # the answer to what was asked tells more than the words that it is given in
                statement = statement._replace(bears={})
            self._replace_repeated(text, found)
            self.heard.append(Heard(statement, found))
        return self._weighed(joint, likely)

    def _as_meant(self, said: Sequence[tuple[str, Read | None]], lang: str) -> list[tuple[str, Read]]:
        """How each sentence is read: what was done and is no remedy here tells how the program is."""
        likely = self._likely(self._joint((), lang))
        remedies = [self.assistant.store.pitfall(id) for id in _first(likely)]
        result = []
        for text, known in said:
            read = known or read_polarity(text)
            statement = Statement(text, read)
            if read.polarity in TELLING and not any(self.law.tried([statement], each) for each in remedies):
                told = max(read.shares.get(each, 0.0) for each in (read.polarity, "so"))
                read = Read("so", read.probability, {**read.shares, "so": told})
            result.append((text, read))
        return result

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
        joint = self._joint((), lang)
        likely = self._likely(joint)
        return self._weighed(joint, likely)

    @property
    def anchor_id(self) -> str | None:
        """The entry that the first text shows."""
        return self.anchor.match.id if self.anchor.match else None

    def question(self, answer: Answer) -> Check | None:
        """The check to ask now, which waits for an answer from then on; None where enough were asked."""
        self.open = None
        family = answer.family
        if family is None or not family.checks or len(self.asked) >= MAX_QUESTIONS:
            return None
        said = [
            *clauses(self.anchor.paste.words),
            *((each.statement.text, None) for each in self.heard if not each.label),
        ]
        check = next(
            (
                check
                for check in family.checks
                if all(self.reader.nearness(text, check) < MIN_SPOKEN_OF for text, _ in said)
            ),
            None,
        )
        if check is None:
            return None
        key = family.id, family.family.checks.index(check)
        self.asked.add(key)
        self.open = key, check
        return check

    @property
    def told(self) -> dict[CheckKey, CheckAnswer]:
        """The last answer to every check that was answered."""
        return {key: answer for each in self.heard for key, answer in each.answers.items()}

    def _joint(self, more: Sequence[str], lang: str) -> Answer:
        """The answer to the first text and everything that is so."""
        kept = [
            each.statement for each in self.heard if each.statement.read.polarity in JOINS and not each.label
        ]
        said = [*(statement.text for statement in kept), *more]
        if not said or self.settled:
            return self.anchor
        text = "\n".join((self.anchor.paste.text, *said))
        asked = self.assistant.ask(
            read_question(text), lang=lang, facts=self.anchor.facts, source=self.source
        )
        return asked.with_first()

    def _likely(self, joint: Answer) -> dict[str, float]:
        """How likely each entry in play is by the rankings."""
        first, whole = _probabilities(self.anchor), _probabilities(joint)
        return {
            id: max(LEAST, first.get(id, 0.0)) ** ANCHOR_WEIGHT
            * max(LEAST, whole.get(id, 0.0)) ** JOINT_WEIGHT
            for id in (first | whole)
        }

    def _families(self, likely: Mapping[str, float], share: float) -> list[Family]:
        """The families whose members have this share, or more, of what is likely."""
        least = share * sum(likely.values())
        families = self.assistant.store.families.values()
        return [each for each in families if sum(likely.get(id, 0.0) for id in each.members) >= least]

    def _replace_repeated(self, text: str, found: Mapping[CheckKey, CheckAnswer]) -> None:
        """A sentence about the same thing, or that answers the same check otherwise, takes the place of the
        earlier one: so the user corrects it.
        """
        words = _words(text)
        for each in list(self.heard):
            otherwise = any(found.get(key, answer) != answer for key, answer in each.answers.items())
            if otherwise or _alike(words, _words(each.statement.text)) >= MIN_REPEATED_SHARE:
                self.heard.remove(each)

    def _weighed(self, joint: Answer, likely: Mapping[str, float]) -> Answer:
        """The joint answer with every candidate's probability as all that was said makes it."""
        odds: Counter[str] = Counter()
        for each in self.heard:
            odds.update(each.statement.bears)
        for key, answer in self.told.items():
            raises, lowers = (ASKED, -ASKED) if key in self.asked else (RAISES, LOWERS)
            odds.update(dict.fromkeys(answer.raises, raises))
            odds.update(dict.fromkeys(answer.lowers, lowers))
        scores = {id: math.log(each) + odds[id] for id, each in likely.items()}
        if self.settled and self.anchor_id in scores:  # its own message is there, whatever was tried
            scores[self.anchor_id] = max(
                scores[self.anchor_id], math.log(likely[self.anchor_id]) - MAX_AGAINST_SETTLED
            )
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
        asked = [answer for key, answer in heard.answers.items() if key in self.asked]
        if any(entry.id in answer.raises for answer in asked):
            return False
        lowered = any(entry.id in answer.lowers for answer in asked)
        return lowered or self.law.contradicts(heard.statement, entry)

    def agrees(self, statement: Statement, answer: CheckAnswer) -> bool:
        """Whether a sentence may give an answer: it does not contradict all that this speaks for."""
        load = self.assistant.store.pitfall
        against = [self.law.contradicts(statement, load(id)) for id in answer.raises]
        return not against or not all(against)

    def _decided(self, joint: Answer, shares: Mapping[str, float]) -> Answer:
        """One entry where it stands clear, else the family, else the first entry."""
        known = {match.id: match for answer in (self.anchor, joint) for match in _matches(answer)}
        load = self.assistant.store.pitfall
        best = _first(shares)
        ranked = tuple(
            known.get(id, Match(id, 0.0, (), {}, load=load))._replace(probability=round(shares[id], 4))
            for id in best
        )
        answer = joint._replace(candidates=ranked, rival=None, family=None, match=None, none=0.0)
        if not ranked:
            return answer
        second = ranked[1].probability if len(ranked) > 1 else 0.0
        stands = ranked[0].probability >= max(CLEAR_SHARE, CLEAR_LEAD * second)
        family = None if stands and self.heard else self._family(ranked, shares)
        if family:
            return answer._replace(family=family)
        return with_branch(answer._replace(match=ranked[0]), self.assistant.store)

    def _family(self, ranked: Sequence[Match], shares: Mapping[str, float]) -> FamilyMatch | None:
        """The family of the first candidate that is likeliest, with the checks that are left."""
        masses = {
            family: sum(shares.get(id, 0.0) for id in family.members)
            for family in self._families(shares, MIN_FAMILY_SHARE)
            if ranked[0].id in family.members
        }
        if not masses:
            return None
        family, mass = max(masses.items(), key=lambda each: each[1])
        by_id = {match.id: match for match in ranked}
        members = tuple(match for match in ranked if match.id in family.members)
        done = {number for id, number in (*self.told, *self.asked) if id == family.id}
        of_members = {match.id: by_id[match.id].probability for match in members}
        checks = []
        while (best := best_check(family, of_members, done)) is not None:
            done.add(best)
            checks.append(family.checks[best])
        answered = tuple(answer for (id, _), answer in self.told.items() if id == family.id)
        return FamilyMatch(family, round(mass, 4), members, tuple(checks), answered)


def _matches(answer: Answer) -> list[Match]:
    members = answer.family.members if answer.family else ()
    return [*members, *answer.candidates]


def _probabilities(answer: Answer) -> dict[str, float]:
    """How likely an answer makes each entry in play."""
    members = answer.family.members if answer.family else ()
    return dict.fromkeys((match.id for match in members), LEAST) | {
        match.id: match.probability for match in answer.candidates
    }


def _first(likely: Mapping[str, float]) -> list[str]:
    """The likeliest entries, best first."""
    return sorted(likely, key=lambda id: -likely[id])[:MAX_CANDIDATES]


def _softmax(scores: Mapping[str, float]) -> dict[str, float]:
    highest = max(scores.values(), default=0.0)
    raised = {id: math.exp(score - highest) for id, score in scores.items()}
    total = sum(raised.values()) or 1.0
    return {id: each / total for id, each in raised.items()}


def _words(text: str) -> set[str]:
    return {term for term in all_tokens(text) if term not in COMMON_TOKENS}


def _alike(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
