"""What follow-ups say: the entry's own passages and its neighbours', each with its source. `Conversation` decides which."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from . import replies
from .answer import Answer, Match
from .nearby import Nearby, Passage
from .paste import parse
from .render import entry_markdown, fence, proof, sources
from .replies import Reply, Section, note
from .types import Pitfall
from .words import word

if TYPE_CHECKING:
    from .api import Assistant

WORTH = 0.02  # a candidate less likely than this is not offered as "the next one"


class Followups:
    """The state of a thread, and the replies to what may be asked of it. One method per intent of `intents`."""

    def __init__(self, assistant: Assistant) -> None:
        self.assistant = assistant
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

    def _passage(self, about: str, lang: str) -> Passage | None:
        around = self._around()
        own = self.nearby.best(about, around[:1], lang) if self.focus else None
        if own and own.share >= 0.9:
            return own
        other = self.nearby.best(about, around, lang)
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
        about = about if len(about) <= 60 else about[:59] + "…"
        sections = [note("say_nothing_about", lang, about=about)]
        others = self.nearby.elsewhere(about, lang, {entry.id for entry in self._around()})
        if others:
            items = [f"- **{passage.entry.id}**: {passage.entry.title[lang]}" for passage in others]
            sections.append(Section("elsewhere", word("say_elsewhere", lang), "\n".join(items)))
        return self._reply(intent, lang, sections, found=False)

    def _from_passage(self, intent: str, about: str, found: Passage, lang: str) -> Answer:
        short = about if len(about) <= 60 else about[:59] + "…"
        body = f"{found.text}\n\n{replies.origin(found.entry, found.field, lang)}"
        sections = [Section(found.field, word("say_about", lang, about=short), body, found.entry.id)]
        if intent == "guess" and self.focus and found.entry.id != self.focus.id:
            sections.insert(0, note("say_guess_neighbour", lang, about=short, id=self.focus.id))
            sections.append(replies.part(found.entry, "check", lang))
        elif intent == "guess" and found.field != "check":
            sections.insert(0, note("say_guess_own", lang, about=short, id=found.entry.id))
            sections.append(replies.part(found.entry, "check", lang))
        return self._reply(intent, lang, sections)

    # -- the follow-ups ---------------------------------------------------------------------------------------------

    def _part(self, field: str, lang: str) -> Answer:
        if self.focus is None:
            return self._unsettled(field, lang)
        return self._reply(field, lang, [replies.part(self.focus.pitfall, field, lang)])

    def _why(self, lang: str, about: str = "") -> Answer:
        return self._part("why", lang)

    def _fix(self, lang: str, about: str = "") -> Answer:
        return self._part("fix", lang)

    def _check(self, lang: str, about: str = "") -> Answer:
        return self._part("check", lang)

    def _code(self, lang: str, about: str = "") -> Answer:
        if self.focus is None:
            return self._unsettled("code", lang)
        entry = self.focus.pitfall
        shown = replies.code_blocks(entry.fix[lang])
        if not shown:
            return self._script("code", lang, note("say_no_code", lang, id=entry.id))
        return self._reply("code", lang, [Section("code", word("say_code", lang), "\n\n".join([*shown, replies.origin(entry, "fix", lang)]), entry.id)])

    def _repro(self, lang: str, about: str = "") -> Answer:
        return self._script("repro", lang) if self.focus else self._unsettled("repro", lang)

    def _script(self, intent: str, lang: str, *intro: Section) -> Answer:
        assert self.focus is not None
        entry = self.focus.pitfall
        if entry.repro is None:
            return self._reply(intent, lang, [Section("noproof", word("noproof", lang), entry.no_repro[lang] if entry.no_repro else "", entry.id)], found=False)
        with open(entry.repro, encoding="utf-8") as file:
            source = file.read()
        return self._reply(intent, lang, [*intro, Section("repro", word("say_repro", lang), fence(source, "python"), entry.id)])

    def _prove(self, lang: str, about: str = "") -> Answer:
        if self.focus is None:
            return self._unsettled("prove", lang)
        entry = self.focus.pitfall
        if entry.no_repro is not None:
            return self._reply("prove", lang, [*replies.split(proof(entry, lang), entry.id)], found=False)
        body = f"{word('say_prove', lang)}\n\n{fence(f'torchwhy confirm {entry.id}', 'sh')}"
        return self._reply("prove", lang, [Section("prove", word("prove", lang), body, entry.id)], action="confirm")

    def _meaning(self, lang: str, about: str = "") -> Answer:
        if self.focus is None:
            return self._unsettled("meaning", lang)
        said = self.focus.says.get(lang, ())
        entry = self.focus.pitfall
        if not said:
            return self._reply("meaning", lang, [note("say_no_numbers", lang), replies.part(entry, "why", lang)])
        body = "\n".join(f"- {line}" for line in said)
        return self._reply("meaning", lang, [Section("says", word("says", lang), f"{body}\n\n{replies.origin(entry, 'says', lang)}", entry.id)])

    def _sure(self, lang: str, about: str = "") -> Answer:
        if self.focus is None or self.topic is None or not self.focus.why:
            return self._unsettled("sure", lang)
        return self._reply("sure", lang, [replies.evidence(self.focus, self.topic, lang), replies.part(self.focus.pitfall, "check", lang)])

    def _source(self, lang: str, about: str = "") -> Answer:
        if self.focus is None:
            return self._unsettled("source", lang)
        entry = self.focus.pitfall
        return self._reply("source", lang, replies.split(sources(entry, lang), entry.id))

    def _short(self, lang: str, about: str = "") -> Answer:
        if self.focus is None:
            return self._unsettled("short", lang)
        entry = self.focus.pitfall
        body = f"**{entry.title[lang]}**\n\n{replies.blocks(entry.fix[lang])[0]}\n\n{replies.origin(entry, 'fix', lang)}"
        return self._reply("short", lang, [Section("short", word("say_short", lang), body, entry.id)])

    def _line(self, lang: str, about: str = "") -> Answer:
        found = replies.place(self.topic, lang) if self.topic else None
        if found is None:
            return self._reply("line", lang, [note("say_no_line", lang)], found=False)
        return self._reply("line", lang, [found])

    def _failed(self, lang: str, about: str = "") -> Answer:
        """The first fix did not help: the entry's other ones, how to check it, and what else it could be."""
        if self.focus is None:
            return self._unsettled("failed", lang)
        entry = self.focus.pitfall
        rest = replies.blocks(entry.fix[lang])[1:]
        sections = []
        if rest:
            sections.append(Section("fix", word("say_more_fixes", lang), "\n\n".join([*rest, replies.origin(entry, "fix", lang)]), entry.id))
        sections.append(replies.part(entry, "check", lang))
        return self._reply("failed", lang, [*sections, *self._other_section(lang)])

    def _other_section(self, lang: str) -> list[Section]:
        others = self._others_of()
        return [Section("others", word("say_others", lang), replies.listed(others, lang))] if others else []

    def _others_of(self) -> list[Match]:
        """Candidates worth naming, then the entry's look-alikes; without what was ruled out."""
        here = self.focus.id if self.focus else ""
        ranked = [match.id for match in self.topic.candidates] if self.topic else []
        ids = [match.id for match in (self.topic.candidates if self.topic else ()) if match.probability >= WORTH][:5]
        first = self.topic.match if self.topic and self.topic.match else self.focus
        if first:
            alike = [pair.id for pair in first.pitfall.look_alikes]
            ids += sorted(alike, key=lambda id: ranked.index(id) if id in ranked else len(ranked) + alike.index(id))
        kept = [id for id in dict.fromkeys(ids) if id != here and id not in self._dismissed and self.assistant.store.resolve(id) == id]
        return [self._match(id) for id in kept[:5]]

    def _others(self, lang: str, about: str = "") -> Answer:
        found = self._other_section(lang)
        return self._reply("others", lang, found or [note("say_no_others", lang)], found=bool(found))

    def _not_that(self, lang: str, about: str = "") -> Answer:
        gone = self.focus
        if gone is None:
            self._dismissed.update(match.id for match in self._nearest())
            return self._unsettled("not_that", lang)
        self._dismissed.add(gone.id)
        left = self._others_of()
        if not left:
            self.focus = None
            return self._reply("not_that", lang, [note("say_no_next", lang)], found=False)
        return self._full(left[0], lang, "not_that", note("say_next", lang, id=gone.id))

    def _which(self, lang: str, about: str = "") -> Answer:
        """What tells the entry at hand from its nearest neighbour (or from the one that was named)."""
        if self.focus is None:
            return self._unsettled("which", lang)
        others = self._others_of()
        if about:
            named = self.nearby.best(about, [match.pitfall for match in others], lang, enough=0.9)
            others = [self._match(named.entry.id)] if named else others
        if not others:
            return self._reply("which", lang, [replies.part(self.focus.pitfall, "check", lang)])
        pair = [match.pitfall for match in (self.focus, others[0])]
        return self._reply("which", lang, [Section("check", entry.title[lang], replies.part(entry, "check", lang).body, entry.id) for entry in pair])

    def _pick(self, lang: str, about: str) -> Answer:
        candidates = list(self.topic.candidates) if self.topic else []
        number = int(about)
        if number > len(candidates):
            return self._reply("pick", lang, [note("say_no_such", lang, n=about)], found=False)
        return self._full(candidates[number - 1], lang, "pick")

    def _back(self, lang: str, about: str = "") -> Answer:
        if len(self.topics) > 1:
            self.topics.pop()
        earlier = self.topics[-1]
        self.focus, self._dismissed = earlier.match, set()
        answer = replace(earlier, lang=lang)
        return replace(answer, reply=replace(replies.diagnosis(answer, note("say_back", lang)), intent="back"))
