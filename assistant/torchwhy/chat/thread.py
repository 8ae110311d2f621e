"""The state of a thread: what was diagnosed, what is spoken of, what lies near it in the knowledge base."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property

from torchwhy.answers.answer import Answer, Match, Reply, Section
from torchwhy.answers.entry_page import entry_sections
from torchwhy.answers.evidence import Evidence
from torchwhy.answers.weigh import with_facts
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.facts import Facts
from torchwhy.knowledge.family import Check
from torchwhy.paste.parse import parse

from . import sections
from .backend import Backend
from .excerpts import NEARLY_ALL_SHARE, Excerpt, ExcerptFinder
from .law import Law
from .likeness import Likeness
from .listening import Case
from .message import Message
from .sections import note

MIN_OFFERED_PROBABILITY = 0.02  # a candidate less likely than this is not offered as "the next one"
MAX_NEIGHBOUR_CANDIDATES = 4
MAX_OFFERED_CANDIDATES = 3
# An excerpt of another entry must hold this IDF weight: "GPU" (0.97) stands in 60 % of the entries and tells
# nothing, "Windows" (2.0) does.
MIN_NEIGHBOUR_RARITY = 1.6
NEIGHBOUR_LEAD_SHARE = 0.2  # and this much more of what was asked than the entry at hand


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: what was said, and the answer."""

    text: str
    answer: Answer


@cache
def _no_evidence() -> Evidence:
    return Evidence(parse(""))


@dataclass(eq=False, repr=False)
class Thread:
    """The state of a conversation. `facts` are the machine's, once somebody asked for them.

    `topics` are the diagnoses, the present one last; `focus` is the candidate that is spoken of; `lang` the
    language so far, `fixed_lang` one that was asked for; `message` is what is being answered; `cases`
    hold of each topic what the user has said since. `source`: the files that a traceback names may be read,
    to show a change as an edit of them.
    """

    assistant: Backend
    facts: Facts | None = None
    lang: str | None = None
    fixed_lang: str | None = None
    turns: list[Turn] = field(default_factory=list)
    topics: list[Answer] = field(default_factory=list)
    focus: Match | None = None
    cases: list[Case] = field(default_factory=list)
    message: Message = field(default_factory=lambda: Message(""))
    source: bool = False

    @property
    def topic(self) -> Answer | None:
        """The diagnosis that follow-ups speak of."""
        return self.topics[-1] if self.topics else None

    @property
    def at_hand(self) -> Match:
        """`focus`, where it is known that there is one."""
        assert self.focus is not None
        return self.focus

    @property
    def entry(self) -> Pitfall:
        """The entry at hand, where it is known that there is one."""
        return self.at_hand.pitfall

    @property
    def case(self) -> Case | None:
        """What was said of the problem at hand."""
        return self.cases[-1] if self.cases else None

    @property
    def ruled_out(self) -> set[str]:
        """The entries that the user ruled out for the problem at hand."""
        return self.case.rejected if self.case else set()

    @property
    def open_check(self) -> Check | None:
        """The question that waits for an answer."""
        return self.case.open[1] if self.case and self.case.open else None

    @cached_property
    def law(self) -> Law:
        return Law(self.excerpts, Likeness(self.assistant.matcher))

    @cached_property
    def excerpts(self) -> ExcerptFinder:
        return ExcerptFinder(self.assistant.store)

    # -- what lies near --------------------------------------------------------------------------------------

    def match(self, id: str) -> Match:
        """The candidate of this id; an entry that is no candidate as one that nothing speaks for."""
        candidates = (*self.offered, *self.topic.candidates) if self.topic else ()
        found = next((match for match in candidates if match.id == id), None)
        return found or Match(id, 0.0, (), {}, load=self.assistant.store.pitfall)

    @property
    def offered(self) -> tuple[Match, ...]:
        """What the diagnosis offers to pick from: a family's members, else the candidates, best first."""
        if self.topic is None:
            return ()
        return self.topic.family.members if self.topic.family else tuple(self.topic.candidates)

    def is_entry(self, id: str) -> bool:
        """Whether the knowledge base holds an entry of this very id (not a renamed one)."""
        return self.assistant.store.resolve(id) == id

    def is_known(self, term: str) -> bool:
        """Whether an entry uses this word."""
        return bool(self.assistant.store.words.entries_with(term))

    def neighbourhood(self) -> list[Pitfall]:
        """The entry at hand, then its neighbours (likely candidates, look-alikes), nearest first."""
        ids: list[str] = []
        if self.topic:
            likely = self.offered[:MAX_NEIGHBOUR_CANDIDATES]
            ids += [match.id for match in likely if match.probability >= MIN_OFFERED_PROBABILITY]
        if self.focus:
            ids = [self.focus.id, *ids, *(pair.id for pair in self.focus.pitfall.look_alikes)]
        return [self.assistant.store.pitfall(id) for id in dict.fromkeys(ids) if self.is_entry(id)]

    def nearest(self) -> list[Match]:
        """The first candidates that were not ruled out."""
        return [match for match in self.offered if match.id not in self.ruled_out][:MAX_OFFERED_CANDIDATES]

    def excerpt(self, about: str, lang: str, minimum_rarity: float = 0.0) -> Excerpt | None:
        """What the entry at hand says of it, else a neighbour.

        `minimum_rarity` holds for the entry's own excerpt.
        """
        entries = self.neighbourhood()
        own = None
        if self.focus:
            own = self.excerpts.find_in(about, entries[:1], lang, minimum_rarity=minimum_rarity)
        if own and own.share >= NEARLY_ALL_SHARE:
            return own
        rarity = max(minimum_rarity, MIN_NEIGHBOUR_RARITY)
        other = self.excerpts.find_in(about, entries, lang, minimum_rarity=rarity)
        if other is not None and (own is None or other.share > own.share + NEIGHBOUR_LEAD_SHARE):
            return other
        return own

    # -- what changes the state ------------------------------------------------------------------------------

    def ask(self, lang: str) -> Answer:
        """The knowledge base's answer to the message, apart from the thread."""
        return self.assistant.ask(self.message.question, lang=lang, facts=self.facts, source=self.source)

    def begin(self, answer: Answer) -> Answer:
        """A new diagnosis, which follow-ups speak of from now on."""
        case = Case(self.assistant, self.law, answer, self.source)
        answer = case.begin()
        self.cases.append(case)
        self.topics.append(answer)
        self.focus = answer.match
        reply = sections.diagnosis(answer)
        check = case.question(answer)
        if answer.family or check:
            shown = [section for section in reply.sections if section.kind != "checks"]  # one at a time
            asked = [sections.question(check, answer.lang)] if check else []
            reply = reply._replace(sections=(*shown, *asked))
        return answer._replace(reply=reply)

    def reject(self, ids: Iterable[str]) -> None:
        """The user says that it is none of these."""
        if self.case:
            self.case.rejected.update(ids)

    def weigh(self, facts: Facts) -> None:
        """From now on these facts speak for or against what is diagnosed; a pasted report keeps its place."""
        self.facts = facts
        if not self.topics or self.topics[-1].facts is not None:
            return
        self.topics[-1] = with_facts(self.topics[-1], facts)
        if self.focus is None:
            return
        weighed = self.match(self.focus.id)
        if not any(reason.kind == "fact" for reason in weighed.why):  # not among the first candidates
            only = self.topics[-1]._replace(match=weighed, candidates=(weighed,), rival=None)
            weighed = with_facts(only, facts).match or weighed
        self.focus = weighed

    def lawful(self, answer: Answer) -> Answer:
        """The answer as what the user said lets it stand."""
        if self.case is None:
            return answer
        return self.law.kept(answer, self.case.statements, self.case.against, self.assistant.store.pitfall)

    # -- how a reply is put together -------------------------------------------------------------------------

    def reply(
        self,
        intent: str,
        lang: str,
        parts: Iterable[Section],
        *,
        found: bool = True,
        action: str | None = None,
    ) -> Answer:
        """The diagnosis at hand with this reply."""
        reply = Reply(intent, tuple(parts), found, action)
        topic = self.topic
        if topic is None:
            return Answer(
                None, (), lang, _no_evidence(), reply=reply, vocabulary=self.assistant.store.vocabulary
            )
        rival = topic.rival if self.focus == topic.match else None
        family = None if self.focus else topic.family
        likely = () if self.focus else topic.likely
        return topic._replace(
            match=self.focus, lang=lang, rival=rival, reply=reply, family=family, likely=likely
        )

    def turn_to(self, match: Match, lang: str, intent: str, *intro: Section) -> Answer:
        """Speak of this candidate: its whole answer, or the entry's page where nothing speaks for it."""
        self.focus, topic = match, self.topic
        if self.case:
            self.case.open = None
        if match.why and topic:
            rival = topic.rival if match == topic.match else None
            answer = topic._replace(match=match, lang=lang, rival=rival, family=None, likely=())
            return answer._replace(reply=sections.diagnosis(answer, *intro)._replace(intent=intent))
        if topic is None:
            words = self.assistant.store.vocabulary
            self.topics.append(Answer(match, (match,), lang, _no_evidence(), vocabulary=words))
            self.cases.append(Case(self.assistant, self.law, self.topics[-1], self.source))
        page = entry_sections(match.pitfall, lang)
        return self.reply(intent, lang, (*intro, *page))

    def unsettled(self, intent: str, lang: str) -> Answer:
        """No entry is at hand: the nearest ones to pick from."""
        near = self.nearest()
        if not near:
            return self.reply(intent, lang, [note("say_no_next", lang)], found=False)
        listed = Section("others", "", sections.listed(near, lang))
        return self.reply(intent, lang, [note("say_unsettled", lang), listed], found=False)
