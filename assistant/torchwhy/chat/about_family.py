"""A family in a conversation: the best question first, then on with each reply."""

from __future__ import annotations

from torchwhy.answers.answer import Answer, Section
from torchwhy.answers.family_page import answer_label
from torchwhy.knowledge.family import CheckAnswer

from . import sections
from .consultation import Consultation, next_step, read_reply
from .phrases import phrase
from .sections import note
from .thread import Thread


def consulted(thread: Thread, lang: str) -> Answer | None:
    """The reply to what the message answers of the open question; None where it answers something else."""
    consultation = thread.consultation
    if consultation is None or thread.message.root is not None:
        return None
    answers, said = read_reply(thread.message.plain, consultation.check)
    return _go_on(thread, consultation, said, lang) if answers else None


def _go_on(thread: Thread, before: Consultation, said: CheckAnswer | None, lang: str) -> Answer:
    """Ask the next question, or turn to the member that stands clear (or first, once all was asked)."""
    now, more = next_step(before, said)
    heard = answer_label(said, lang) if said else phrase("say_not_known", lang)
    thread.weigh_family(now.members)
    if more:
        thread.consultation = now
        listed = Section("members", phrase("family_members", lang), sections.members(now.members, lang))
        return thread.reply(
            "consult", lang, [note("say_heard", lang, heard=heard), listed, sections.question(now, lang)]
        )
    thread.consultation = None
    first, second = now.members[0], now.members[1]
    parts = [note("say_heard", lang, heard=heard), note("say_then", lang, id=first.id)]
    if not now.clear:
        parts[1] = note("say_then_likely", lang, id=first.id, other=second.id)
    return thread.turn_to(first, lang, "consult", *parts)
