"""What a confirmation showed, as Markdown: the verdict, both legs, the numbers, this machine's message beside
the pasted one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from torchwhy.answers.reasons import fact_line, percent
from torchwhy.answers.weigh import fact_reasons
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.facts import Facts
from torchwhy.text.markup import fence, span
from torchwhy.text.phrases import phrase
from torchwhy.text.plain import plain
from torchwhy.text.width import width_of

from .confirmation import Confirmation, Leg
from .difference import difference
from .judge import signature_of

MAX_MESSAGE_CHARS = 1500  # of a message that is shown
MAX_OUTPUT_LINES, MAX_LINE_CHARS = 20, 500  # of a leg that did something else
MAX_NAME_CHARS, SHOWN_ENVIRONMENTS = 120, 3  # of the environments that were named but not taken
GOOD = ("confirmed", "reproduces-here")


def confirmation_markdown(
    result: Confirmation, entry: Pitfall, lang: str, paste: str | None = None, facts: Facts | None = None
) -> str:
    """What `torchwhy confirm` and the chat show. `paste` is the whole text at hand, if there is one; `facts`
    the machine's.
    """
    good = result.verdict in GOOD
    parts = head(result, entry, lang)
    if result.reason and not good:
        parts.append(span(result.reason))
    parts += lesson(result, entry, lang)
    measured = numbers(result, lang)
    parts += [leg_line(leg, lang, with_numbers=not measured) for leg in result.legs]
    if measured:
        parts.append(f"{_heading('measured', lang)}\n\n{measured}")
    parts += messages(result, entry, lang, paste)
    parts += odd_outputs(result, lang)
    bearing = [f"- {fact_line(reason, lang)}" for reason in fact_reasons(entry, facts)] if facts else []
    if bearing:
        parts.append(f"{_heading('verdict_facts', lang)}\n\n" + "\n".join(bearing))
    if good:
        parts.append(phrase("notshown", lang))
    parts += missing_guards(result, lang)
    return "\n\n".join(parts) + "\n"


def _heading(key: str, lang: str) -> str:
    """What stands above a block, with its language's colon."""
    return phrase("verdict_heading", lang, text=phrase(key, lang))


def head(result: Confirmation, entry: Pitfall, lang: str) -> list[str]:
    """The verdict, the entry, and the Python that ran its script."""
    chosen = phrase("verdict_chosen", lang, how=phrase(result.chosen, lang)) if result.chosen else ""
    parts = [
        f"# {phrase(result.verdict, lang)}",
        f"**{entry.id}** · {entry.title[lang]}",
        span(result.python) + (f" · torch {result.torch}" if result.torch else "") + chosen,
    ]
    if result.missed:
        missed = ", ".join(span(plain(name), MAX_NAME_CHARS) for name in result.missed[:SHOWN_ENVIRONMENTS])
        parts.append(phrase("note_missed", lang, detail=missed))
    return parts


def lesson(result: Confirmation, entry: Pitfall, lang: str) -> list[str]:
    """What the fix changes in the script, where both versions of it ran."""
    changed = difference(entry.repro) if entry.repro and len(result.legs) > 1 else ""
    return [f"{_heading('lesson', lang)}\n\n{fence(changed, 'diff')}"] if changed else []


def leg_line(leg: Leg, lang: str, *, with_numbers: bool) -> str:
    """What a leg showed, in one line."""
    shows = phrase(f"shows_{leg.shows}", lang)
    line = "- " + phrase(
        "leg_line",
        lang,
        leg=phrase(leg.name, lang),
        shows=shows,
        status=str(leg.status),
        seconds=f"{leg.seconds:.1f}",
    )
    if leg.numbers and with_numbers:
        line += " · " + ", ".join(f"{name} = {_number(value)}" for name, value in leg.numbers.items())
    return line


def missing_guards(result: Confirmation, lang: str) -> list[str]:
    """Which guards this system did not give the script, as a paragraph."""
    names = [phrase(f"guard_{name}", lang) for name in result.unguarded]
    if not names:
        return []
    advice = phrase("guard_advice", lang) if sys.platform == "linux" else ""
    return [phrase("guards_missing", lang, names=("；" if lang == "zh" else "; ").join(names)) + advice]


def odd_outputs(result: Confirmation, lang: str) -> list[str]:
    """The end of the output of a leg that did something else, and what torchwhy itself makes of it."""
    parts = []
    for leg in result.legs:
        if leg.shows in ("different", "timeout", "unloadable"):
            lines = leg.output.splitlines()[-MAX_OUTPUT_LINES:]
            parts.append(fence("\n".join(line[:MAX_LINE_CHARS] for line in lines)))
    if result.diagnosis is not None and result.diagnosis.match is not None:
        other = result.diagnosis.match
        diagnosed = f"**{other.id}** ({percent(other.probability)}): {other.pitfall.title[lang]}"
        parts.append(f"{phrase('diagnosed', lang)}: {diagnosed}")
    return parts


def messages(result: Confirmation, entry: Pitfall, lang: str, paste: str | None) -> list[str]:
    """This machine's message, and above it the pasted one where the paste shows one of the entry's own."""
    here = result.message
    alone = [f"{_heading('printed', lang)}\n\n{fence(here[:MAX_MESSAGE_CHARS])}"] if here else []
    if paste is None or not result.legs:
        return alone
    found = signature_of(entry, plain(paste))
    if found is None:
        return [*alone, phrase("nomatch", lang)] if entry.signatures else alone
    number, pasted = found
    if pasted.split() == here.split():
        return [*alone, phrase("same_words", lang)]
    both = [f"{_heading('pasted', lang)}\n\n{fence(pasted[:MAX_MESSAGE_CHARS])}", *alone]
    same = "same" if number == result.legs[0].signature else "wording"
    return [*both, phrase(same, lang)] if here else both


def numbers(result: Confirmation, lang: str) -> str:
    """What both legs measured, before and after the fix, as a table; "" where not both did."""
    if len(result.legs) < 2 or not result.legs[0].numbers or not result.legs[1].numbers:
        return ""
    before, after = result.legs[0].numbers, result.legs[1].numbers
    rows = [
        (name, _number(before.get(name, "")), _number(after.get(name, "")))
        for name in dict.fromkeys((*before, *after))
    ]
    return table(["", phrase("broken", lang), phrase("fixed", lang)], rows)


def _number(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return (
        "none"
        if value is None
        else span(str(value), 60)
        if isinstance(value, (str, list, dict)) and value
        else str(value)
    )


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, padded so that it reads as well without being drawn."""
    cells = [[text.replace("|", "\\|") for text in row] for row in (head, *rows)]
    wide = [max(width_of(row[at]) for row in cells) for at in range(len(head))]
    lines = [
        "| " + " | ".join(text + " " * (wide[at] - width_of(text)) for at, text in enumerate(row)) + " |"
        for row in cells
    ]
    return "\n".join([lines[0], "|" + "|".join("-" * (size + 2) for size in wide) + "|", *lines[1:]])
