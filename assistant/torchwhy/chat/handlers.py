"""Which function answers which intent; and what is asked of the thread itself.

A new follow-up is its examples in followups.*.txt, a function, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torchwhy.answers.answer import Answer

from . import about_entry, about_excerpts, about_machine, about_others, sections
from .sections import note
from .thread import Thread

Handler = Callable[[Thread, str, str], Answer]
"""(thread, language, what the sentence names or "") -> the answer with its reply."""

# Of the entry at hand: where there is none, the nearest ones are offered instead.
OF_THE_ENTRY: Mapping[str, Handler] = {
    "why": about_entry.why,
    "fix": about_entry.fix,
    "check": about_entry.check,
    "code": about_entry.code,
    "meaning": about_entry.meaning,
    "sure": about_entry.sure,
    "short": about_entry.short,
    "simple": about_entry.simple,
    "failed": about_entry.failed,
    "prove": about_entry.prove,
    "source": about_entry.source,
    "repro": about_entry.repro,
    "serious": about_machine.serious,
    "release": about_machine.release,
    "which": about_others.which,
}
# What is answered once more when the language changes; after anything else the entry at hand is shown.
SAID_AGAIN: Mapping[str, Handler] = {
    **OF_THE_ENTRY,
    "machine": about_machine.machine,
    "others": about_others.others,
    "line": about_entry.line,
}
SMALL_TALK = ("language", "thanks", "help")
# Intents that are answered whatever was said before, and also where nothing was.
NEED_NO_TOPIC = frozenset(["chinese", "english", "thanks", "help", "machine"])
# Intents whose sentence may as well be the first: without a topic it is a question for the knowledge base.
MAY_BEGIN = frozenset(["guess", "what_if", "failed"])


def answered(thread: Thread, intent: str, lang: str, about: str = "") -> Answer:
    """The answer to an intent. Raises KeyError for one that has no handler."""
    if intent in OF_THE_ENTRY and thread.focus is None:
        return thread.unsettled(intent, lang)
    return HANDLERS[intent](thread, lang, about)


def chinese(thread: Thread, lang: str, about: str) -> Answer:
    return _switch(thread, "zh")


def english(thread: Thread, lang: str, about: str) -> Answer:
    return _switch(thread, "en")


def _switch(thread: Thread, lang: str) -> Answer:
    """Say the last thing again in this language, and go on in it."""
    thread.lang = thread.fixed_lang = lang
    intro = note("say_language", lang)
    replies = (turn.answer.reply for turn in reversed(thread.turns) if turn.answer.reply)
    last = next((reply for reply in replies if reply.intent not in SMALL_TALK), None)
    if last is None or thread.topic is None:
        return thread.reply("language", lang, [intro])
    if last.intent in SAID_AGAIN:
        answer = answered(thread, last.intent, lang)
        assert answer.reply is not None
        parts = (intro, *answer.reply.sections)
        return answer._replace(reply=answer.reply._replace(intent="language", sections=parts, action=None))
    if thread.focus is not None:
        return thread.turn_to(thread.focus, lang, "language", intro)
    answer = thread.topic._replace(lang=lang)
    return answer._replace(reply=sections.diagnosis(answer, intro)._replace(intent="language"))


def again(thread: Thread, lang: str, about: str) -> Answer:
    """The last thing once more."""
    answer = thread.turns[-1].answer
    assert answer.reply is not None
    return answer._replace(reply=answer.reply._replace(action=None))


def back(thread: Thread, lang: str, about: str) -> Answer:
    """The diagnosis before this one."""
    if len(thread.topics) > 1:
        thread.topics.pop()
        thread.cases.pop()
    earlier = thread.topics[-1]
    thread.focus = earlier.match
    if thread.case:
        thread.case.rejected.clear()
    answer = earlier._replace(lang=lang)
    return answer._replace(reply=sections.diagnosis(answer, note("say_back", lang))._replace(intent="back"))


def thanks(thread: Thread, lang: str, about: str) -> Answer:
    return thread.reply("thanks", lang, [note("say_thanks", lang)])


def usage(thread: Thread, lang: str, about: str) -> Answer:
    """What can be asked."""
    return thread.reply("help", lang, [note("say_help", lang)])


HANDLERS: Mapping[str, Handler] = {
    **SAID_AGAIN,
    "not_that": about_others.not_that,
    "pick": about_others.pick,
    "guess": about_excerpts.guess,
    "what_if": about_excerpts.what_if,
    "chinese": chinese,
    "english": english,
    "again": again,
    "back": back,
    "thanks": thanks,
    "help": usage,
}
