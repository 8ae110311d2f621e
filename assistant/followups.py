"""What follow-ups say of the entry at hand: its own passages, each with its source. `Conversation` decides which."""

from __future__ import annotations

from . import replies
from .alternatives import Alternatives
from .answer import Answer
from .markup import fence
from .render import proof, sources
from .replies import Section, note
from .words import word


class Followups(Alternatives):
    """Replies about the entry at hand. One method per intent of `intents`."""

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

    def _simple(self, lang: str, about: str = "") -> Answer:
        """For somebody who is new: what it is, what it does, the first paragraph of why and of the fix."""
        if self.focus is None:
            return self._unsettled("simple", lang)
        entry = self.focus.pitfall
        what = Section("short", word("say_short", lang), f"**{entry.title[lang]}**\n\n{word(f'effect_{entry.effect}', lang)}", entry.id)
        parts = [
            (field, f"{replies.blocks(text[lang])[0]}\n\n{replies.origin(entry, field, lang)}") for field, text in (("why", entry.cause), ("fix", entry.fix))
        ]
        return self._reply("simple", lang, [what, *(Section(field, word(field, lang), body, entry.id) for field, body in parts)])

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
