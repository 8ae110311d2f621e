"""Filling in templates, and writing a page into its place with relative addresses."""

from __future__ import annotations

from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from torchwhy.answers.entry_page import effect_word, kind_word, public_sources, source_line
from torchwhy.text.width import first_sentence
from torchwhy.version import __version__

from .page import LANGS, Page, address, up
from .phrases import say
from .prose import code_html, inline_html, markdown_html

NAVIGATION = (
    ("search", "search/"),
    ("pitfalls", "pitfalls/"),
    ("messages", "messages/"),
    ("releases", "releases/"),
    ("guides", "guides/"),
    ("reference", "reference/"),
)
ROOT_MARK = '"@/'  # an address from the site's root, as content writes it


@lru_cache(maxsize=1)
def _environment() -> Environment:
    folder = Path(__file__).parent / "templates"
    made = Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=False
    )
    made.filters["inline"] = lambda text: html(inline_html(text))
    made.filters["markdown"] = lambda text, below=0: html(markdown_html(text, below=below))
    made.filters["code"] = lambda text, language="": html(code_html(text, language))
    made.filters["first_sentence"] = first_sentence
    for words in (kind_word, effect_word, public_sources, source_line):
        made.globals[words.__name__] = words
    return made


def filled(template: str, lang: str, **values: Any) -> Markup:
    """A template with its values, the words of a language, and `zh`, with which its addresses begin."""
    found = _environment().get_template(f"{template}.html")
    return Markup(found.render(say=partial(_say, lang), lang=lang, zh=address("", lang), **values))  # noqa: S704


def _say(lang: str, key: str) -> str:
    return say(key, lang)


def html(text: str) -> Markup:
    """What is HTML already."""
    return Markup(text)  # noqa: S704


def whole(page: Page) -> str:
    """The page's file: its content between header and footer, every address relative to it."""
    root = up(page.address)
    other = next(lang for lang in LANGS if lang != page.lang)
    values = {
        "page": page,
        "root": root,
        "home": root + address("", page.lang),
        "here": root + address("", page.lang),
        "other": root + address(page.path, other),
        "content": html(str(page.content).replace(ROOT_MARK, f'"{root}')),
        "navigation": NAVIGATION,
        "version": __version__,
    }
    return str(filled("base", page.lang, **values))
