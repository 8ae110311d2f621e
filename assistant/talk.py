"""The state of a thread: what was diagnosed, what is spoken of, and how a reply is put together from passages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from . import replies
from .answer import Answer, Match
from .markup import quoted
from .nearby import Nearby, Passage
from .paste import parse
from .render import entry_markdown
from .replies import Reply, Section, note
from .types import Pitfall
from .words import word

if TYPE_CHECKING:
    from .api import Assistant
    from .facts import Facts

WORTH = 0.02  # a candidate less likely than this is not offered as "the next one"
NEIGHBOUR = 1.6  # weight that a neighbour's passage must match: "GPU" (0.97) stands in every other entry, "Windows" (2.0) does not


class Talk:
    """The state of a thread. `facts` are the machine's, once somebody asked for them."""

    def __init__(self, assistant: Assistant, facts: Facts | None = None) -> None:
        self.assistant = assistant
        self.facts = facts
        self.topics: list[Answer] = []  # every diagnosis of the thread, the present one last
        self.focus: Match | None = None
        self._dismissed: set[str] = set()
        self._nearby: Nearby | None = None

    @property
    def topic(self) -> Answer | None:
        """The diagnosis that follow-ups speak of."""
        return self.topics[-1] if self.topics else None

    # -- what the entries say ---------------------------------------------------------------------------------------

    def _match(self, id: str) -> Match:
        known = next((match for topic in reversed(self.topics[-1:]) for match in topic.candidates if match.id == id), None)
        return known or Match(id, 0.0, (), {}, None, self.assistant.store.pitfall)

    def _around(self) -> list[Pitfall]:
        """The entry at hand, then its neighbours, nearest first."""
        ids: list[str] = []
        if self.topic:
            ids += [match.id for match in list(self.topic.candidates)[:4] if match.probability >= WORTH]
        if self.focus:
            ids = [self.focus.id, *ids, *(pair.id for pair in self.focus.pitfall.look_alikes)]
        return [self.assistant.store.pitfall(id) for id in dict.fromkeys(ids) if self.assistant.store.resolve(id) == id]

    @property
    def nearby(self) -> Nearby:
        if self._nearby is None:
            self._nearby = Nearby(self.assistant.store)
        return self._nearby

    def _passage(self, about: str, lang: str, floor: float = 0.0) -> Passage | None:
        """What the entry at hand says of it, else a neighbour. `floor`: weight that the entry's own passage must match."""
        around = self._around()
        own = self.nearby.best(about, around[:1], lang, floor=floor) if self.focus else None
        if own and own.share >= 0.9:
            return own
        other = self.nearby.best(about, around, lang, floor=max(floor, NEIGHBOUR))
        return other if other and (own is None or other.share > own.share + 0.2) else own

    def _reply(self, intent: str, lang: str, sections: Iterable[Section], *, found: bool = True, action: str | None = None) -> Answer:
        reply = Reply(intent, tuple(sections), found, action)
        topic = self.topic
        if topic is None:
            return Answer(None, (), lang, parse(""), reply=reply)
        return replace(topic, match=self.focus, lang=lang, rival=None if self.focus != topic.match else topic.rival, reply=reply)

    def _full(self, match: Match, lang: str, intent: str, *intro: Section) -> Answer:
        """The whole answer for one candidate, or the entry's page where it is none."""
        self.focus = match
        topic = self.topic
        if match.why and topic:
            answer = replace(topic, match=match, lang=lang, rival=topic.rival if match == topic.match else None)
            return replace(answer, reply=replace(replies.diagnosis(answer, *intro), intent=intent))
        if topic is None:
            self.topics.append(Answer(match, (match,), lang, parse("")))
        page = replies.split(entry_markdown(match.pitfall, lang), match.id)
        return self._reply(intent, lang, (*intro, *page))

    def _nearest(self) -> list[Match]:
        return [match for match in self.topic.candidates if match.id not in self._dismissed][:3] if self.topic else []

    def _unsettled(self, intent: str, lang: str) -> Answer:
        near = self._nearest()
        if not near:
            return self._reply(intent, lang, [note("say_no_next", lang)], found=False)
        return self._reply(intent, lang, [note("say_unsettled", lang), Section("others", "", replies.listed(near, lang))], found=False)

    def _nothing(self, intent: str, about: str, lang: str) -> Answer:
        """Nothing around speaks of it. Entries elsewhere that do are named, without a claim that they bear on this."""
        sections = [note("say_nothing_about", lang, about=quoted(about))]
        others = self.nearby.elsewhere(about, lang, {entry.id for entry in self._around()}, floor=NEIGHBOUR)
        if others:
            items = [f"- **{passage.entry.id}**: {passage.entry.title[lang]}" for passage in others]
            sections.append(Section("elsewhere", word("say_elsewhere", lang), "\n".join(items)))
        return self._reply(intent, lang, sections, found=False)

    def _from_passage(self, intent: str, about: str, found: Passage, lang: str) -> Answer:
        short = quoted(about)
        body = f"{found.text}\n\n{replies.origin(found.entry, found.field, lang)}"
        sections = [Section(found.field, word("say_about", lang, about=short), body, found.entry.id)]
        if self.focus and found.entry.id != self.focus.id:
            sections.insert(0, note("say_neighbour", lang, about=short, id=self.focus.id, other=found.entry.id))
            if intent == "guess" and found.field != "check":
                sections.append(replies.part(found.entry, "check", lang))
        elif intent == "guess" and found.field != "check":
            sections.insert(0, note("say_guess_own", lang, about=short, id=found.entry.id))
            sections.append(replies.part(found.entry, "check", lang))
        return self._reply(intent, lang, sections)
