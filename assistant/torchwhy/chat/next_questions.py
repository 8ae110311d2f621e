"""What can be asked next, in words that the conversation itself reads."""

from __future__ import annotations

from torchwhy.answers.family_page import answer_label
from torchwhy.answers.provable import runs_here
from torchwhy.text.phrases import phrase

from . import sections
from .about_others import other_matches
from .thread import Thread

# What is offered, the most useful first. An answer has told why, and what to do, by itself.
ORDER = ("prove", "line", "others", "failed", "serious", "machine", "source")
OF_AN_ENTRY = frozenset(["prove", "failed", "serious", "source"])
# Replies that turn to an entry: what was asked before them was asked of another one.
TURNING = frozenset(["diagnosis", "pick", "consult", "not_that", "back"])


def next_questions(thread: Thread, lang: str) -> list[str]:
    """The answers of the question that is open, else what was not asked yet of the entry at hand; in `lang`.

    Nothing where nothing was diagnosed.
    """
    if thread.open_check is not None:
        labels = [answer_label(answer, lang) for answer in thread.open_check.answers]
        return [*labels, phrase("ask_not_known", lang)]
    if thread.topic is None:
        return []
    asked = _asked(thread)
    return [phrase(f"ask_{intent}", lang) for intent in ORDER if intent not in asked and _has(thread, intent)]


def _asked(thread: Thread) -> set[str]:
    """The intents since the thread last turned to an entry."""
    asked: set[str] = set()
    for turn in reversed(thread.turns):
        intent = turn.answer.reply.intent if turn.answer.reply else ""
        if intent in TURNING:
            break
        asked.add(intent)
    return asked


def _has(thread: Thread, intent: str) -> bool:
    """Whether there is an answer to it."""
    focus = thread.focus
    if intent in OF_AN_ENTRY and focus is None:
        return False
    if intent == "prove":
        return focus is not None and focus.pitfall.repro is not None and runs_here(focus.pitfall.needs)
    if intent == "line":
        return thread.topic is not None and sections.failing_line(thread.topic, "en") is not None
    if intent == "others":
        return bool(other_matches(thread))
    return intent != "source" or bool(focus and focus.pitfall.sources)
