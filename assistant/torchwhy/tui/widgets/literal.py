"""Foreign text for the screen: cleaned, cut, and never read as markup."""

from __future__ import annotations

from textual.content import Content

from torchwhy.text.plain import ANSI, CONTROL, plain

MAX_LINE_CHARS = 2000  # of one line; no terminal is wide enough for more
MAX_UNFOLDED_LINES = 400  # of a message
MIN_FOLDED_LINES = 12  # a message of more lines is folded


def cleaned(text: str, limit: int = MAX_UNFOLDED_LINES * MAX_LINE_CHARS) -> str:
    """Text without escapes, control characters and direction marks; carriage returns as the last rewrite."""
    lines = plain(text[:limit]).expandtabs(4).split("\n")
    return "\n".join(
        line.rsplit("\r", 1)[-1][:MAX_LINE_CHARS] if "\r" in line else line[:MAX_LINE_CHARS] for line in lines
    )


def visible(text: str) -> str:
    """Text for an editor: without what would act on the terminal, otherwise as it was written."""
    return CONTROL.sub("", ANSI.sub("", text))


def literal(text: str, style: str = "") -> Content:
    """Content that shows `text` as it stands: no markup, and no escapes, which textual would pass on."""
    text = visible(text)
    return Content.styled(text, style) if style else Content(text)


def size(text: str) -> str:
    """A size for people."""
    count = len(text)
    return (
        f"{count / 2**20:.1f} MB"
        if count >= 2**20
        else f"{count / 2**10:.1f} KB"
        if count >= 2**10
        else f"{count} B"
    )
