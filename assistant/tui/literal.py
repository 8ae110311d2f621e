"""Foreign text for the screen: cleaned, cut, and never read as markup."""

from __future__ import annotations

from textual.content import Content

from assistant.cleaning import ANSI, CONTROL, plain

LINE = 2000  # characters of one line that are shown; a terminal draws no more sensibly
LINES = 400  # lines of a message that are shown when it is unfolded
FOLD = 12  # lines from which a message is folded


def cleaned(text: str, limit: int = LINES * LINE) -> str:
    """Text without escapes, control characters and direction marks; carriage returns as the last rewrite."""
    lines = plain(text[:limit]).expandtabs(4).split("\n")
    return "\n".join(line.rsplit("\r", 1)[-1][:LINE] if "\r" in line else line[:LINE] for line in lines)


def visible(text: str) -> str:
    """Text for an editor: without what would act on the terminal, otherwise as it was written."""
    return CONTROL.sub("", ANSI.sub("", text))


def literal(text: str, style: str = "") -> Content:
    """Content that shows `text` as it stands: no markup, and nothing that the terminal would obey (textual passes escapes on)."""
    text = visible(text)
    return Content.styled(text, style) if style else Content(text)


def size(text: str) -> str:
    """A size for people."""
    count = len(text)
    return f"{count / 2**20:.1f} MB" if count >= 2**20 else f"{count / 2**10:.1f} KB" if count >= 2**10 else f"{count} B"
