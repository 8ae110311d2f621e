"""The page on which a pasted text finds its entry."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from .page import LANGS, Page
from .phrases import say
from .render import filled

SCRIPT = "finder.js"


def finder_form(lang: str, rows: int) -> Markup:
    """The field for a text, as the first page and the search page have it."""
    return filled("search", lang, rows=rows)


def search_pages() -> Iterator[Page]:
    """The search page in both languages."""
    for lang in LANGS:
        title = say("search_title", lang)
        content = f"<h1>{title}</h1>\n{finder_form(lang, 14)}"
        yield Page("search/", lang, title, say("search_hint", lang), content, script=SCRIPT)
