"""How an answer shows itself in Python: as text, in a notebook, in rich, as plain values."""

from __future__ import annotations

from html import escape

from assistant.text.markup import fence

from .answer import SHOWN_AS, Answer
from .as_json import as_json
from .screen import screen_lines

HTML_STYLES = {
    "where": "font-weight:bold",
    "message": "color:#c0392b",
    "before": "color:#c0392b",
    "after": "color:#1e8449",
    "label": "font-weight:bold",
    "dim": "opacity:0.7",
}
RICH_STYLES = {
    "where": "bold",
    "message": "red",
    "before": "red",
    "after": "green",
    "label": "bold",
    "dim": "dim",
}


def text(answer: Answer) -> str:
    """The first screen as plain lines."""
    return "\n".join(line.text for line in screen_lines(answer))


def markdown(answer: Answer) -> str:
    """The first screen for what draws Markdown: its lines as they are."""
    return fence(text(answer)) + "\n"


def html(answer: Answer) -> str:
    """The first screen for a notebook. Everything of the text is escaped."""
    lines = [
        f'<span style="{HTML_STYLES.get(line.style, "")}">{escape(line.text)}</span>'
        for line in screen_lines(answer)
    ]
    return "<pre>" + "\n".join(lines) + "</pre>"


def rich(answer: Answer) -> object:
    """The first screen for rich: text that holds no markup."""
    from rich.text import Text

    drawn = Text()
    for at, line in enumerate(screen_lines(answer)):
        drawn.append("\n" if at else "")
        drawn.append(line.text, RICH_STYLES.get(line.style, ""))
    return drawn


SHOWN_AS.update(text=text, markdown=markdown, html=html, rich=rich, dict=as_json)
