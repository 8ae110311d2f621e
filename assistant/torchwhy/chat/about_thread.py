"""What is asked of the thread itself: its language, the last thing again, the topic before.

One function an intent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torchwhy.answers.answer import Answer

from . import about_entry, about_machine, about_others, sections
from .sections import note
from .thread import Thread

# What is answered once more when the language changes; after anything else the entry at hand is shown.
SAID_AGAIN: Mapping[str, Callable[[Thread, str, str], Answer]] = {
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
    "serious": about_machine.serious,
    "machine": about_machine.machine,
    "others": about_others.others,
    "which": about_others.which,
    "source": about_entry.source,
    "line": about_entry.line,
    "repro": about_entry.repro,
    "release": about_machine.release,
}
SMALL_TALK = ("language", "thanks", "help")


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
        answer = SAID_AGAIN[last.intent](thread, lang, "")
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
    earlier = thread.topics[-1]
    thread.focus, thread.ruled_out = earlier.match, set()
    answer = earlier._replace(lang=lang)
    return answer._replace(reply=sections.diagnosis(answer, note("say_back", lang))._replace(intent="back"))


def thanks(thread: Thread, lang: str, about: str) -> Answer:
    return thread.reply("thanks", lang, [note("say_thanks", lang)])


def usage(thread: Thread, lang: str, about: str) -> Answer:
    """What can be asked."""
    return thread.reply("help", lang, [note("say_help", lang)])
