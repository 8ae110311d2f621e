"""A conversation: follow-ups understand what was said before. Rules and the entries' own passages, nothing invented.

A new paste starts a new diagnosis and keeps the thread. What a follow-up says comes from the entry at hand, then from
its neighbours (candidates, look-alikes), then from elsewhere in the knowledge base, always with the source named; where
nothing speaks of it, the reply says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from . import intents, replies
from .answer import Answer
from .bearings import Bearings
from .cleaning import plain
from .errors import UsageError
from .followups import Followups
from .language import HAN, choose, language_of
from .paste import parse
from .replies import note

if TYPE_CHECKING:
    from .api import Assistant
    from .facts import Facts
    from .rewrite import Rewritten

WHOLE = 1 << 20  # characters up to which a text is taken as it is; a longer log is digested as a file would be
OWN = 0.6  # probability from which a sentence that leans on the thread is a question of its own after all
ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
SAID_AGAIN = frozenset(["why", "fix", "check", "code", "meaning", "sure", "short", "simple", "serious", "machine", "failed", "others", "which", "prove"])
SPECIFIC = 1.3  # weight that a passage must match of a sentence that no rule knows


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: what was said, and the answer."""

    text: str
    answer: Answer


class Conversation(Followups, Bearings):
    """A thread with an Assistant. `turns` is what was said; `focus` the candidate that is being spoken of.

    `facts` (from `Assistant.machine()`) speak for or against what is diagnosed, as in `Assistant.ask`; without them the
    machine is looked at when the user asks for that ("check my machine").
    """

    def __init__(self, assistant: Assistant, facts: Facts | None = None) -> None:
        super().__init__(assistant, facts)
        self.turns: list[Turn] = []
        self.lang: str | None = None  # the thread's language so far
        self._told: str | None = assistant.lang if assistant.lang != "auto" else None  # a language that was asked for

    def say(self, text: str) -> Answer:
        """Answer a paste, a question or a follow-up; `answer.reply` holds the sections. Never raises for odd text."""
        if len(text) > WHOLE:
            text = _digest(text)
        answer = self._answer(text)
        self.turns.append(Turn(text, answer))
        return answer

    def speak(self, lang: str) -> None:
        """Go on in this language, whatever the texts are in."""
        self._told = self.lang = lang

    def choose(self, id: str) -> Answer:
        """Turn to another entry of the thread (a candidate, a look-alike, any id). Raises UsageError for an unknown id."""
        match = self._match(self.assistant.pitfall(id).id)
        self._dismissed.discard(match.id)
        return self._full(match, self._lang(""), "pick")

    def rewrite(self) -> Rewritten:
        """The last answer in a model's words, as `Assistant.rewrite` gives it. Raises UsageError, RewriteError."""
        if not self.turns:
            raise UsageError("nothing has been said yet")
        return self.assistant.rewrite(self.turns[-1].answer, self.question(self.turns[-1].answer))

    def question(self, answer: Answer) -> str:
        """What the user asked for this answer, where that is more than the paste."""
        follow_up = answer.reply is not None and answer.reply.intent != "diagnosis"
        return next((turn.text for turn in self.turns if turn.answer is answer), "") if follow_up else ""

    # -- deciding what a text is ------------------------------------------------------------------------------------

    def _answer(self, text: str) -> Answer:
        text_plain = plain(text).strip()
        intent = intents.read(text_plain)
        lang = self._lang(text_plain, intent is not None)
        if not text_plain:
            return self._reply("help", lang, [note("nothing", lang)], found=False)
        named = self._named(text_plain)
        if named:
            return self._full(self._match(named), lang, "pick")
        if intent is not None and intent.name in ("chinese", "english"):
            return self._switch("zh" if intent.name == "chinese" else "en")
        if intent is not None and intent.name in ("thanks", "help"):
            return self._reply(intent.name, lang, [note(f"say_{intent.name}", lang)])
        if intent is not None and intent.name == "machine":
            return self._machine(lang)
        root = parse(text).root
        if self.topic is None or (root is not None and intent is None) or "Traceback (most" in text:
            if intent is not None and root is None and intent.name not in ("guess", "what_if", "failed"):
                return self._reply(intent.name, lang, [note("say_no_topic", lang)], found=False)
            return self._diagnose(text, lang)
        if intent is None:
            return self._free(text_plain, lang)
        if intent.name in ("guess", "what_if"):
            return self._about(intent.name, intent.about, text_plain, lang)
        handler: Callable[[str, str], Answer] = getattr(self, f"_{intent.name}")
        return handler(lang, intent.about)

    def _lang(self, text: str, follow_up: bool = True) -> str:
        if self._told:
            self.lang = self._told
        elif HAN.search(text) and (language_of(text) == "zh" or follow_up):
            self.lang = "zh"
        elif self.lang is None or (len(re.findall(r"[A-Za-z']{2,}", text)) >= 3 and parse(text[:20000]).root is None):
            self.lang = "en" if self.lang else choose("auto", text[:20000])
        return self.lang

    def _named(self, text: str) -> str | None:
        """The entry that a short sentence names by its id."""
        if len(text) > 120 or parse(text).root is not None:
            return None
        ids = [id for word_ in ID.findall(text) if (id := self.assistant.store.resolve(word_))]
        return ids[0] if len(set(ids)) == 1 and len(text.split()) <= 8 else None

    def _diagnose(self, text: str, lang: str) -> Answer:
        return self._begin(self._asked(text, lang))

    def _asked(self, text: str, lang: str) -> Answer:
        return self.assistant.ask(text, lang=lang, facts=self.facts)

    def _begin(self, answer: Answer) -> Answer:
        self.topics.append(answer)
        self.focus, self._dismissed = answer.match, set()
        return replace(answer, reply=replies.diagnosis(answer))

    def _free(self, text: str, lang: str) -> Answer:
        """No rule knows the sentence: a question of its own if the ranking says so, else whatever passage speaks of it."""
        asked = self._asked(text, lang)
        leans = intents.points_back(text)
        found = self._passage(text, lang, SPECIFIC)
        spoken_of = {entry.id for entry in self._around()} if found else set()
        if asked.match is not None and asked.match.id not in spoken_of and (not leans or asked.match.probability >= OWN):
            return self._begin(asked)
        if found:
            return self._from_passage("passage", text, found, lang)
        if asked.match is not None:
            return self._begin(asked)
        if asked.paste.foreign:
            reply = replies.diagnosis(asked)  # another program's text: said so, and the thread goes on
            return self._reply("foreign", lang, reply.sections, found=False)
        if len(text) > 60 and not leans:
            return self._begin(asked)  # a description that nothing fits: the answer says so and names the nearest
        return self._nothing("passage", text, lang)

    def _about(self, intent: str, about: str, text: str, lang: str) -> Answer:
        found = self._passage(about, lang)
        if found:
            return self._from_passage(intent, about, found, lang)
        asked = self._asked(text, lang)
        if asked.match is not None and asked.match.probability >= OWN and not intents.points_back(text):
            return self._begin(asked)
        return self._nothing(intent, about, lang)

    def _again(self, lang: str, about: str = "") -> Answer:
        """The last thing once more."""
        answer = self.turns[-1].answer
        assert answer.reply is not None
        return replace(answer, reply=replace(answer.reply, action=None))

    def _switch(self, lang: str) -> Answer:
        """Say the last thing again in the other language, and go on in it."""
        self._told = lang
        self.lang = lang
        intro = note("say_language", lang)
        last = next((turn for turn in reversed(self.turns) if turn.answer.reply and turn.answer.reply.intent not in ("language", "thanks", "help")), None)
        if last is None or self.topic is None:
            return self._reply("language", lang, [intro])
        before = last.answer.reply
        assert before is not None
        again = getattr(self, f"_{before.intent}", None) if before.intent in SAID_AGAIN else None
        if again is not None:
            answer: Answer = again(lang)
            assert answer.reply is not None
            return replace(answer, reply=replace(answer.reply, intent="language", sections=(intro, *answer.reply.sections), action=None))
        if self.focus is not None:
            return self._full(self.focus, lang, "language", intro)
        answer = replace(self.topic, lang=lang)
        return replace(answer, reply=replace(replies.diagnosis(answer, intro), intent="language"))


def _digest(text: str) -> str:
    import io

    from .reading import read_text

    return read_text(io.BytesIO(text.encode("utf-8", "replace")))


__all__ = ["Conversation", "Turn"]
