"""How an answer shows itself in Python: as text, in a notebook, in rich, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from torchwhy.text.lazy_re import lazy_compile
from torchwhy.text.markup import fence

from .answer import Answer, Section
from .as_json import as_json as as_json
from .screen_lines import STYLES, screen_lines

Under = Sequence[tuple[str, str]]  # what is known of the values in the user's line
LINE_STYLE = "white-space:pre;overflow-x:auto"  # a notebook's own style would break lines within words
# one click selects the whole block, so that it can be copied without a script
CODE_STYLE = f"{LINE_STYLE};user-select:all;border-left:3px solid #8884;padding:0.4em 0.8em;margin:0.4em 0"
CODE_SPAN = lazy_compile(r"`([^`\n]+)`")


def text(answer: Answer, under: Under = ()) -> str:
    """The first screen as plain lines. `under`: as `screen_lines` has it."""
    return "\n".join(line.text for line in screen_lines(answer, under=under))


def markdown(answer: Answer, under: Under = ()) -> str:
    """The first screen for what draws Markdown: its lines as they are."""
    return fence(text(answer, under)) + "\n"


def html(answer: Answer, under: Under = ()) -> str:
    """The first screen for a notebook, with the rest of the page folded below it. Everything of the text is
    escaped.

    No script: folding is the browser's own, and a click selects a whole block of code to copy it.
    """
    lines = [
        f'<span style="{STYLES[line.style][1]}">{escape(line.text)}</span>'
        for line in screen_lines(answer, under=under)
    ]
    from .sections import answer_sections  # the way of a question on a terminal does without

    folded = [section_html(section) for section in answer_sections(answer) if section.kind != "title"]
    return f'<pre style="{LINE_STYLE}">' + "\n".join(lines) + "</pre>" + "".join(folded)


def section_html(section: Section) -> str:
    """A section that unfolds at a click: its code in blocks that are selected as one, its prose as it is."""
    parts = []
    for at, part in enumerate(section.body.split("```")):
        if at % 2:
            code = part.partition("\n")[2].rstrip("\n")
            parts.append(f'<pre style="{CODE_STYLE}"><code>{escape(code)}</code></pre>')
        elif part.strip():
            prose = CODE_SPAN.sub(r"<code>\1</code>", escape(part.strip()))
            parts.append(f'<div style="white-space:pre-wrap">{prose}</div>')
    return f"<details><summary>{escape(section.title)}</summary>{''.join(parts)}</details>"


def rich(answer: Answer) -> object:
    """The first screen for rich: text that holds no markup."""
    from rich.text import Text

    drawn = Text()
    for at, line in enumerate(screen_lines(answer)):
        drawn.append("\n" if at else "")
        drawn.append(line.text, STYLES[line.style][2])
    return drawn
