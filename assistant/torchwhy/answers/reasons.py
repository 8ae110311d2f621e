"""Single lines of an answer: how sure it is, what speaks for a candidate, the error that was read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torchwhy.knowledge.vocabulary import shown
from torchwhy.text.markup import span
from torchwhy.text.phrases import phrase

from .answer import Answer, Match, Reason

if TYPE_CHECKING:
    from torchwhy.knowledge.facts import Facts

MAX_WORDS_CHARS = 2000
MAX_LINE_CHARS = 500
ERROR_HEAD_LINES, ERROR_TAIL_LINES = 15, 45  # of a long traceback, what is kept


def percent(probability: float) -> str:
    """A probability for people: never 100%, which nobody can promise."""
    return f"{min(99, round(probability * 100))}%"


def closest_line(match: Match, lang: str) -> str:
    """Which of the entry's causes is nearest to the text; "" where none stands clear."""
    cause = match.closest(lang)
    return phrase("closest", lang, cause=cause) if cause else ""


def error_text(answer: Answer, tell: Callable[[str], str]) -> str:
    """The leading error with its traceback, or the words where there is no error, as `tell` leaves them; then
    cut where it is long.

    In this order, because half a token is not known as one.
    """
    root = answer.root
    if root is None:
        return tell(answer.paste.text).strip()[:MAX_WORDS_CHARS]
    lines = tell("\n".join(answer.paste.lines[root.start : root.end])).split("\n")
    if len(lines) > ERROR_HEAD_LINES + ERROR_TAIL_LINES:
        lines = [
            *lines[:ERROR_HEAD_LINES],
            f"[... {len(lines) - ERROR_HEAD_LINES - ERROR_TAIL_LINES} lines left out ...]",
            *lines[-ERROR_TAIL_LINES:],
        ]
    return "\n".join(line if len(line) <= MAX_LINE_CHARS else line[:MAX_LINE_CHARS] + "…" for line in lines)


def reasons(match: Match, lang: str) -> list[str]:
    """What speaks for a match, one line each; facts apart from inference."""
    lines = []
    for reason in match.why:
        if reason.kind == "fact":
            lines.append(fact_line(reason, lang))
            continue
        value = f"{reason.value:.2f}" if reason.value is not None else ""
        if reason.said is not None:
            lines.append(f"{phrase(reason.kind, lang)}: {reason.said[lang]}")
            continue
        text = f": {span(reason.text)}" if reason.text else ""
        lines.append(phrase(reason.kind, lang, value=value) + text)
    if not any(reason.kind in ("signature", "code") for reason in match.why):
        lines.append(phrase("guess", lang))
    return lines


def fact_line(reason: Reason, lang: str) -> str:
    """What a fact says: whose it is, the entry's sentence, the values; `against` is said first."""
    values = ", ".join(span(f"{name} = {value}", 120) for name, value in reason.values)
    whose = phrase("fact" if reason.origin == "machine" else "fact_report", lang)
    return (phrase("fact_against", lang) if reason.speaks == "against" else "") + phrase(
        "fact_line", lang, whose=whose, said=said_of(reason, lang), values=values
    )


def fact_lines(match: Match, lang: str) -> list[str]:
    """What the facts say of a candidate, as a list in Markdown."""
    return [f"- {fact_line(reason, lang)}" for reason in match.why if reason.kind == "fact"]


def said_of(reason: Reason, lang: str) -> str:
    return reason.said[lang].rstrip(".。") if reason.said else reason.text


def whose_facts(facts: Facts, lang: str) -> str:
    """Which machine and torch the facts are of, in one line."""
    release = shown("torch.version", facts.get("torch.version").value)
    if facts.origin == "report":
        return phrase("facts_of_report", lang, torch=release)
    return phrase(
        "facts_of_machine",
        lang,
        python=span(facts.interpreter),
        torch=release,
        chosen=phrase(facts.chosen, lang),
    )
