"""What else it could be: other candidates, what tells them apart, turning to another one and back."""

from __future__ import annotations

from dataclasses import replace

from . import replies
from .answer import Answer, Match
from .replies import Section, note
from .talk import WORTH, Talk
from .words import word


class Alternatives(Talk):
    """Replies about the other candidates. One method per intent of `intents`."""

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
        if left[0].probability < WORTH:  # a look-alike that the text does not speak for: its page, without a probability
            return self._full(replace(left[0], why=()), lang, "not_that", note("say_next_alike", lang, id=gone.id))
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
