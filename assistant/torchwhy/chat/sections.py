"""What a turn of a conversation says, as sections of Markdown, each with the entry it comes from.

No state, no choice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from torchwhy.answers.answer import FIELDS, Answer, Match, Reply, Section
from torchwhy.answers.entry_page import source_line
from torchwhy.answers.family_page import answer_label
from torchwhy.answers.reasons import percent, reasons
from torchwhy.answers.sections import answer_sections
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.family import Check
from torchwhy.text.markup import fence, span
from torchwhy.text.phrases import phrase
from torchwhy.text.width import LEAST_SIGHT, first_sentence

MAX_CODE_LINE_CHARS = 500
MIN_LISTED_PROBABILITY = 0.005  # below it a candidate is listed without its probability, which would read 0 %
MIN_ALIKE_PROBABILITY = 0.01  # from it a candidate is named as easily confused
MAX_ALIKE_CANDIDATES = 4  # the first candidates, among which those are looked for


def diagnosis(answer: Answer, *intro: Section) -> Reply:
    """A whole answer as sections; the change with the message's numbers before the entry's own text."""
    parts = answer_sections(answer)
    at = next((at for at, part in enumerate(parts) if part.kind in FIELDS), len(parts))
    change = own_change(answer, answer.match, answer.lang) if answer.match else []
    return Reply("diagnosis", (*intro, *parts[:at], *change, *parts[at:]), answer.found)


def blocks(markdown: str) -> list[str]:
    """Paragraphs; a list or a code block stays with the sentence that leads to it."""
    result: list[str] = []
    in_fence = False
    leads_on = False
    for part in markdown.strip().split("\n\n"):
        fences = len(re.findall(r"(?m)^\s*```", part))
        if result and (in_fence or leads_on or part.lstrip().startswith("```")):
            result[-1] += "\n\n" + part
        else:
            result.append(part)
        if fences % 2:
            in_fence = not in_fence
        leads_on = part.rstrip().endswith((":", "：")) and not in_fence
    return result


def code_blocks(markdown: str) -> list[str]:
    """The blocks that show code."""
    return [block for block in blocks(markdown) if "```" in block]


def first_paragraph(markdown: str) -> str:
    """The first paragraph, without code, on one line."""
    without_code = re.sub(r"```.*?```", " ", markdown, flags=re.DOTALL)
    return " ".join(without_code.strip().split("\n\n")[0].split())


def origin(entry: Pitfall, field: str, lang: str) -> str:
    """The line that names where a passage comes from."""
    source = entry.sources[0] if entry.sources else None
    link = f" · {source_line(source, lang)}" if source is not None and source.url else ""
    return f"*{phrase('say_from', lang)}* **{entry.id}** ({phrase(field, lang)}){link}"


def origin_of_record(id: str, lang: str) -> str:
    """The line that names the entry whose facts or runs these are."""
    return f"*{phrase('say_from', lang)}* **{id}**"


def field_section(entry: Pitfall, field: str, lang: str) -> Section:
    """One field of an entry (why, fix or check), with its source named."""
    text = getattr(entry, FIELDS[field])[lang].rstrip()
    return Section(field, phrase(field, lang), f"{text}\n\n{origin(entry, field, lang)}", entry.id)


def own_change(topic: Answer | None, focus: Match, lang: str) -> list[Section]:
    """The change with the numbers of the user's message; none of another entry or in another language."""
    change = topic.change if topic else None
    if (
        topic is None
        or change is None
        or topic.match is None
        or topic.match.id != focus.id
        or topic.lang != lang
    ):
        return []
    said = f"{change.says} {change.text} {change.code}"
    if not change.before and not any(value in said for _, value in topic.match.values):
        return []  # nothing in it comes from the message: the entry's fix says the same
    rows = []
    for each in change.lines:
        rows.append(f"# {os.path.basename(each.file)}:{each.line}")
        rows += [f"{sign} {row}" for sign, row in each.rows()]
    code = "\n".join(rows) or change.code
    example = phrase("say_example", lang) if code and not change.lines else ""
    shown = fence(code, "diff" if change.lines else "python") if code else ""
    body = "\n\n".join(part for part in (change.says, change.text, example, shown) if part)
    title = phrase("say_usual" if change.usual else "say_change", lang)
    return [Section("change", title, body, focus.id)] if body else []


def note(key: str, lang: str, **values: str) -> Section:
    """A sentence of torchwhy's own."""
    return Section("note", "", phrase(key, lang, **values))


def listed(matches: Iterable[Match], lang: str) -> str:
    """Candidates with what each is and how to tell whether it is the one, one item each."""
    items = []
    for number, match in enumerate(matches, 1):
        entry = match.pitfall
        sure = f" ({percent(match.probability)})" if match.probability >= MIN_LISTED_PROBABILITY else ""
        check = entry.check[lang]
        sight = first_sentence(check, LEAST_SIGHT) or first_paragraph(check)
        items.append(
            f"{number}. **{entry.id}**{sure}: {entry.title[lang]}\n\n   {phrase('tell', lang)}: {sight}"
        )
    return "\n\n".join(items)


def reasons_section(match: Match, answer: Answer, lang: str) -> Section:
    """How sure, and what speaks for it."""
    sure = phrase("sure", lang, percent=percent(match.probability))
    lines = [sure if answer.calibrated else f"{sure} ({phrase('uncalibrated', lang)})", *reasons(match, lang)]
    alike = [
        other
        for other in list(answer.candidates)[:MAX_ALIKE_CANDIDATES]
        if other.id != match.id and other.probability >= MIN_ALIKE_PROBABILITY
    ]
    if alike:
        names = "; ".join(f"{other.id} ({percent(other.probability)})" for other in alike)
        lines.append(f"{phrase('alike', lang)}: {names}")
    return Section("for", phrase("for", lang), "\n".join(f"- {line}" for line in lines), match.id)


def question(check: Check, lang: str) -> Section:
    """The check that waits for an answer, with its answers to choose from."""
    answers = "\n".join(
        f"{number}. {answer_label(answer, lang)}" for number, answer in enumerate(check.answers, 1)
    )
    body = f"{check.ask[lang]}\n\n{answers}\n\n*{phrase('say_reply', lang)}*"
    return Section("question", phrase("say_question", lang), body)


def failing_line(answer: Answer, lang: str) -> Section | None:
    """The user's own line that the traceback names, or None."""
    frame = answer.root.user_frame if answer.root else None
    if frame is None:
        return None
    place = f"{frame.file}:{frame.line}" if frame.line else frame.file
    body = span(place) + (f" · {span(frame.function)}" if frame.function else "")
    if frame.code:
        body += f"\n\n{fence(frame.code[:MAX_CODE_LINE_CHARS], 'python')}"
    return Section("line", phrase("say_line", lang), body)
