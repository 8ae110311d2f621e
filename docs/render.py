"""What a page is, filling in templates, and writing a page into its place with relative addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from torchwhy.answers.entry_page import effect_word, kind_word, public_sources, source_line
from torchwhy.text.width import first_sentence
from torchwhy.version import __version__

from .phrases import say
from .prose import code_html, inline_html, markdown_html

LANGS = ("en", "zh")
NAVIGATION = (
    ("search", "search/"),
    ("pitfalls", "pitfalls/"),
    ("messages", "messages/"),
    ("releases", "releases/"),
    ("guides", "guides/"),
    ("reference", "reference/"),
)
ROOT_MARK = '"@/'  # an address from the site's root, as content writes it


@dataclass(frozen=True, slots=True)
class Page:
    """One page.

    `path` is its address below the root of its language, such as `p/ID/` ("" for the first page); `both` says
    whether the other language has it as well; `script` names a module of assets/ that it loads.
    """

    path: str
    lang: str
    title: str
    description: str
    content: str
    both: bool = True
    script: str = ""

    @property
    def address(self) -> str:
        """Below the site's root, language included."""
        return address(self.path, self.lang)


def address(path: str, lang: str) -> str:
    """The address of a page below the site's root, where Chinese stands below `zh/`."""
    return f"zh/{path}" if lang == "zh" else path


def up(place: str) -> str:
    """The way from a page's address to the site's root, as a relative address ("./" from the root itself)."""
    return "../" * place.count("/") or "./"


class Item(NamedTuple):
    """A link in a list; `english`: to a page that is in English only."""

    path: str
    text: object
    note: str = ""
    code: bool = False
    english: bool = False


class Group(NamedTuple):
    """Links below a heading with an id."""

    id: str
    title: str
    links: Sequence[Item]


def list_page(path: str, lang: str, title: str, groups: Sequence[Group], about: str = "") -> Page:
    """A page of lists of links."""
    content = filled("list", lang, title=title, about=about, groups=groups)
    return Page(path, lang, title, about or title, content)


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
    values = {"say": partial(say, lang=lang), "lang": lang, "zh": address("", lang), **values}
    return Markup(found.render(values))  # noqa: S704


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
