"""What Python's own message means, on this machine where that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchwhy.paste.out_of_step import OWN, SOMEBODY, out_of_step
from torchwhy.paste.paste import Paste
from torchwhy.text.phrases import is_phrase, phrase

from .answer import Answer

if TYPE_CHECKING:
    from .own_error import PythonError


def own_hints(answer: Answer, own: PythonError) -> tuple[str, ...]:
    """What is known of the package that is missing, of two that do not fit, or else of the exception."""
    missing = answer.evidence.missing
    hints = missing.words(answer.lang) if missing else ()
    return hints or (
        out_of_step_words(answer.paste, answer.lang) or own_hint(own.exception, own.message, answer.lang),
    )


def own_hint(exception: str, message: str, lang: str) -> str:
    """What Python's message means, for those that are met most; "" for the rest."""
    name = "none" if "'NoneType'" in message else exception.rsplit(".", 1)[-1]
    return phrase(f"hint_{name}", lang) if is_phrase(f"hint_{name}") else ""


def out_of_step_words(paste: Paste, lang: str) -> str:
    """What one package's code asks of another that has it not, in a sentence; "" where no text says it."""
    step = out_of_step(paste)
    if step is None:
        return ""
    if step.lacker and step.form in ("name", "argument") and step.asker not in (OWN, SOMEBODY):
        return phrase("out_of_step", lang, asker=step.asker, lacker=step.lacker)
    form = step.form if step.form in ("argument", "attribute") else "name"
    package = step.where.partition(".")[0]
    return phrase(f"lacks_{form}", lang, where=step.where, name=step.asked, package=package)
