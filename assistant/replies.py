"""What a turn of a conversation says: sections of Markdown, each with the entry it comes from. No state, no choice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .answer import Answer, Match
from .markup import fence, span
from .render import answer_markdown, percent, reasons, source_line
from .types import Pitfall
from .words import WORDS, word

LINE = 500  # characters of a line of code that are shown
FIELDS = {"why": "cause", "fix": "fix", "check": "check"}


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a reply. `kind`: title, why, fix, check, prove, sources, code, ...; `body` is Markdown."""

    kind: str
    title: str
    body: str
    entry: str | None = None

    @property
    def markdown(self) -> str:
        return f"## {self.title}\n\n{self.body}" if self.title else self.body


@dataclass(frozen=True, slots=True)
class Reply:
    """What was understood (`intent`) and what is said. `found`: whether the knowledge base had something to say.

    `action` is `confirm` where the user asked for a proof: whoever shows the reply may run it.
    """

    intent: str
    sections: tuple[Section, ...]
    found: bool = True
    action: str | None = None

    @property
    def markdown(self) -> str:
        return "\n\n".join(section.markdown for section in self.sections) + "\n"


def split(markdown: str, entry: str | None) -> Iterator[Section]:
    """The sections of a rendered answer, cut at its headings (never inside a fence)."""
    kinds = {text: key for key, pair in WORDS.items() for text in pair}
    title, kind, closing = "", "title", ""
    lines: list[str] = []

    def section() -> Iterator[Section]:
        body = "\n".join(lines).strip()
        if title or body:
            yield Section(kind, title, body, entry)

    for line in markdown.splitlines():
        fenced = re.match(r"\s*(`{3,})", line)
        if closing:
            closing = "" if fenced and fenced[1] == closing else closing
        elif fenced:
            closing = fenced[1]
        elif line.startswith(("# ", "## ")):
            yield from section()
            kind = "title" if line.startswith("# ") else kinds.get(line[3:], kinds.get(line[3:].split(": ")[0], "more"))
            title, lines = line.lstrip("#").strip(), []
            continue
        lines.append(line)
    yield from section()


def diagnosis(answer: Answer, *intro: Section) -> Reply:
    """A whole answer as sections."""
    entry = answer.match.id if answer.match else None
    return Reply("diagnosis", (*intro, *split(answer_markdown(answer), entry)), answer.match is not None)


def blocks(markdown: str) -> list[str]:
    """Paragraphs; a list or a code block stays with the sentence that leads to it."""
    result: list[str] = []
    closing = ""
    join = False
    for part in markdown.strip().split("\n\n"):
        fences = len(re.findall(r"(?m)^\s*```", part))
        if result and (closing or join or part.lstrip().startswith("```")):
            result[-1] += "\n\n" + part
        else:
            result.append(part)
        if fences % 2:
            closing = "" if closing else "```"
        join = part.rstrip().endswith((":", "：")) and not closing
    return result


def code_blocks(markdown: str) -> list[str]:
    """The blocks that show code."""
    return [block for block in blocks(markdown) if "```" in block]


def origin(entry: Pitfall, field: str, lang: str) -> str:
    """The line that names where a passage comes from."""
    cited = entry.sources[0] if entry.sources else None
    more = f" · {source_line(cited, lang)}" if cited is not None and cited.url else ""
    return f"*{word('say_from', lang)}* **{entry.id}** ({word(field, lang)}){more}"


def part(entry: Pitfall, field: str, lang: str) -> Section:
    """One field of an entry (why, fix or check), with its source named."""
    return Section(field, word(field, lang), f"{getattr(entry, FIELDS[field])[lang].rstrip()}\n\n{origin(entry, field, lang)}", entry.id)


def note(key: str, lang: str, **values: str) -> Section:
    """A sentence of torchwhy's own."""
    return Section("note", "", word(key, lang, **values))


def listed(matches: Iterable[Match], lang: str) -> str:
    """Candidates with what each is and how it is told, one item each."""
    lines = []
    for at, match in enumerate(matches, 1):
        entry = match.pitfall
        sure = f" ({percent(match.probability)})" if match.probability >= 0.005 else ""
        lines.append(f"{at}. **{entry.id}**{sure}: {entry.title[lang]}\n\n   {word('tell', lang)}: {first(entry.check[lang])}")
    return "\n\n".join(lines)


def first(markdown: str) -> str:
    """The first paragraph, without code, on one line."""
    return " ".join(re.sub(r"```.*?```", " ", markdown, flags=re.DOTALL).strip().split("\n\n")[0].split())


def evidence(match: Match, answer: Answer, lang: str) -> Section:
    """How sure, and what speaks for it."""
    lines = [word("sure", lang, percent=percent(match.probability)) + ("" if answer.calibrated else f" ({word('uncalibrated', lang)})")]
    lines += reasons(match, lang)
    others = [other for other in list(answer.candidates)[:4] if other.id != match.id and other.probability >= 0.01]
    if others:
        lines.append(f"{word('alike', lang)}: " + "; ".join(f"{other.id} ({percent(other.probability)})" for other in others))
    return Section("for", word("for", lang), "\n".join(f"- {line}" for line in lines), match.id)


def place(answer: Answer, lang: str) -> Section | None:
    """The user's own line that the traceback names, or None."""
    frame = answer.root.user_frame if answer.root else None
    if frame is None:
        return None
    number = f":{frame.line}" if frame.line else ""
    body = f"{span(frame.file + number)}" + (f" · {span(frame.function)}" if frame.function else "")
    return Section("line", word("say_line", lang), body + (f"\n\n{fence(frame.code[:LINE], 'python')}" if frame.code else ""))
