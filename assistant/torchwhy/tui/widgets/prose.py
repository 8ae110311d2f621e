"""Markdown as every page here shows it: links open by a key or a click alone, Chinese flows as Chinese."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.widgets import Markdown

from torchwhy.text.cjk import joined


class Prose(Markdown):
    """textual's Markdown, given text with an author's line breaks."""

    def __init__(self, text: str = "") -> None:
        super().__init__(joined(text), open_links=False)

    def update(self, markdown: str) -> AwaitComplete:
        return super().update(joined(markdown))
