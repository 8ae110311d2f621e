"""A conversation: follow-ups understand what was said before.

Rules and the entries' own passages, nothing invented.

A new paste starts a new diagnosis and keeps the thread. What a follow-up says comes from the entry at hand,
then from its neighbours (candidates, look-alikes), then from elsewhere in the knowledge base, always with the
source named; where nothing speaks of it, the reply says so.
"""

from __future__ import annotations

import re

from torchwhy.answers.answer import Answer, Rewritten
from torchwhy.errors import UsageError
from torchwhy.knowledge.facts import Facts
from torchwhy.text.language import HAN, choose, language_of

from . import about_case
from .about_excerpts import free_sentence
from .backend import Backend
from .handlers import MAY_BEGIN, NEED_NO_TOPIC, answered
from .message import Message
from .next_questions import next_questions
from .sections import note
from .thread import Thread, Turn

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
MAX_NAMING_CHARS, MAX_NAMING_WORDS = 120, 8  # of a sentence that names an entry by its id
MIN_ENGLISH_WORDS = 3  # from which a sentence is taken for English
MAX_LANGUAGE_CHARS = 20_000  # of a text, where its language is looked for


class Conversation(Thread):
    """A thread that is spoken to. `turns` is what was said; `focus` the candidate that is being spoken of.

    `facts` (from `Assistant.machine()`) speak for or against what is diagnosed, as in `Assistant.ask`;
    without them the machine is looked at when the user asks for that ("check my machine"). `source`: as in
    `Assistant.ask`.
    """

    def __init__(self, assistant: Backend, facts: Facts | None = None, *, source: bool = False) -> None:
        fixed = assistant.lang if assistant.lang != "auto" else None
        super().__init__(assistant, facts, fixed_lang=fixed, source=source)

    def say(self, text: str) -> Answer:
        """Answer a paste, a question or a follow-up; `answer.reply` holds the sections.

        Never raises for odd text.
        """
        return self.hear(Message(text))

    def hear(self, message: Message) -> Answer:
        """`say` for a message that was read before."""
        self.message = message
        answer = self._answer(message)
        if self.case:
            self.case.remember(message.question.paste.words or ("" if message.root else message.plain))
        answer = self.lawful(answer)
        answer = answer._replace(heard=about_case.heard_sentences(self.case, answer.lang))
        self.turns.append(Turn(message.text, answer))
        return answer

    def do(self, intent: str, lang: str, text: str) -> Answer:
        """Answer an intent as if it had been said, without reading a sentence: what a key does.

        `text` stands for it in the thread. Raises KeyError for an intent that has no handler.
        """
        self.lang = self.fixed_lang or lang
        answer = self.lawful(answered(self, intent, self.lang))
        self.turns.append(Turn(text, answer))
        return answer

    def speak(self, lang: str) -> None:
        """Go on in this language, whatever the texts are in."""
        self.fixed_lang = self.lang = lang

    def choose(self, id: str) -> Answer:
        """Turn to another entry of the thread (a candidate, a look-alike, any id).

        Raises UsageError for an unknown id.
        """
        match = self.match(self.assistant.pitfall(id).id)
        if self.case:
            self.case.rejected.discard(match.id)
        return self.lawful(self.turn_to(match, self._lang(Message("")), "pick"))

    def rewrite(self) -> Rewritten:
        """The last answer in a model's words, as `Assistant.rewrite` gives it.

        Raises UsageError, RewriteError.
        """
        if not self.turns:
            raise UsageError("nothing has been said yet")
        return self.assistant.rewrite(self.turns[-1].answer, self.question(self.turns[-1].answer))

    def question(self, answer: Answer) -> str:
        """What the user asked for this answer, where that is more than the paste."""
        if answer.reply is None or answer.reply.intent == "diagnosis":
            return ""
        return next((turn.text for turn in self.turns if turn.answer is answer), "")

    def next_questions(self, lang: str) -> list[str]:
        """What can be said next, in that language; [] where nothing was diagnosed yet."""
        return next_questions(self, lang)

    # -- deciding what a text is -----------------------------------------------------------------------------

    def _answer(self, message: Message) -> Answer:
        intent = message.intent
        lang = self._lang(message, intent is not None)
        if not message.plain:
            return self.reply("help", lang, [note("nothing", lang)], found=False)
        replied = about_case.replied(self, lang)
        if replied is not None:
            return replied
        named = self._named(message)
        if named:
            return self.turn_to(self.match(named), lang, "pick")
        if intent is not None and intent.name in NEED_NO_TOPIC:
            return answered(self, intent.name, lang, intent.about)
        pasted = message.root is not None
        if self.topic is None or (pasted and intent is None) or "Traceback (most" in message.text:
            if intent is not None and not pasted and intent.name not in MAY_BEGIN:
                return self._of_the_last_run(intent.name, lang)
            return self.begin(self.ask(lang))
        stated = about_case.stated(self, lang)
        if stated is not None:
            return stated
        if intent is None:
            return free_sentence(self, lang)
        return answered(self, intent.name, lang, intent.about)

    def _of_the_last_run(self, intent: str, lang: str) -> Answer:
        """The first thing said is a follow-up: it is of the last run that failed, where one is kept."""
        failure = self.assistant.last_failure() if self.source else ""
        if not failure:
            return self.reply(intent, lang, [note("say_no_topic", lang)], found=False)
        self.message = Message(failure)
        self.begin(self.ask(lang))
        answer = answered(self, intent, lang)
        assert answer.reply is not None
        parts = (note("say_last_run", lang), *answer.reply.sections)
        return answer._replace(reply=answer.reply._replace(sections=parts))

    def _lang(self, message: Message, follow_up: bool = True) -> str:
        """The language to answer in: the one asked for, else the sentence's own, else the thread's so far."""
        text = message.plain
        if self.fixed_lang:
            self.lang = self.fixed_lang
        elif HAN.search(text) and (language_of(text) == "zh" or follow_up):
            self.lang = "zh"
        elif self.lang is None:
            self.lang = choose("auto", text[:MAX_LANGUAGE_CHARS])
        elif len(re.findall(r"[A-Za-z']{2,}", text)) >= MIN_ENGLISH_WORDS and message.root is None:
            self.lang = "en"
        return self.lang

    def _named(self, message: Message) -> str | None:
        """The entry that a short sentence names by its id."""
        text = message.plain
        if len(text) > MAX_NAMING_CHARS or len(text.split()) > MAX_NAMING_WORDS:
            return None
        ids = {id for word in ID.findall(text) if (id := self.assistant.store.resolve(word))}
        return ids.pop() if len(ids) == 1 and message.root is None else None
