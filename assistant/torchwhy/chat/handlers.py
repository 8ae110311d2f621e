"""Which function answers which intent.

A new follow-up is a rule in `intent_rules`, a function, and a line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torchwhy.answers.answer import Answer

from . import about_entry, about_excerpts, about_machine, about_others, about_thread
from .thread import Thread

Handler = Callable[[Thread, str, str], Answer]
"""(thread, language, what the sentence names or "") -> the answer with its reply."""

HANDLERS: Mapping[str, Handler] = {
    "why": about_entry.why,
    "fix": about_entry.fix,
    "check": about_entry.check,
    "code": about_entry.code,
    "repro": about_entry.repro,
    "prove": about_entry.prove,
    "meaning": about_entry.meaning,
    "sure": about_entry.sure,
    "source": about_entry.source,
    "short": about_entry.short,
    "simple": about_entry.simple,
    "line": about_entry.line,
    "failed": about_entry.failed,
    "serious": about_machine.serious,
    "release": about_machine.release,
    "machine": about_machine.machine,
    "others": about_others.others,
    "not_that": about_others.not_that,
    "which": about_others.which,
    "pick": about_others.pick,
    "guess": about_excerpts.guess,
    "what_if": about_excerpts.what_if,
    "chinese": about_thread.chinese,
    "english": about_thread.english,
    "again": about_thread.again,
    "back": about_thread.back,
    "thanks": about_thread.thanks,
    "help": about_thread.usage,
}
# Intents that are answered whatever was said before, and also where nothing was.
NEED_NO_TOPIC = frozenset(["chinese", "english", "thanks", "help", "machine"])
# Intents whose sentence may as well be the first: without a topic it is a question for the knowledge base.
MAY_BEGIN = frozenset(["guess", "what_if", "failed"])
