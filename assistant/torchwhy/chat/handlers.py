"""Which function answers which intent.

A new follow-up is its examples in followups.*.txt, a function, and a line here or in `SAID_AGAIN`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torchwhy.answers.answer import Answer

from . import about_excerpts, about_others, about_thread
from .thread import Thread

Handler = Callable[[Thread, str, str], Answer]
"""(thread, language, what the sentence names or "") -> the answer with its reply."""

HANDLERS: Mapping[str, Handler] = {
    **about_thread.SAID_AGAIN,
    "not_that": about_others.not_that,
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
