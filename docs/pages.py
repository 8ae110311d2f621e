"""A page of the site as Markdown, and what its templates are written with."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from torchwhy.answers.entry_page import effect_word, kind_word, public_sources, source_line
from torchwhy.answers.family_page import answer_label
from torchwhy.knowledge.schema import load_yaml
from torchwhy.text.markup import one_line
from torchwhy.text.width import first_sentence

HERE = Path(__file__).parent
LANGS = ("en", "zh")
FENCE = "~" * 8
WORDS: dict[str, tuple[str, str]] = load_yaml((HERE / "phrases.yaml").read_text("utf-8"))


class Page(NamedTuple):
    """One page.

    `path` is where its Markdown stands below the root of its language, such as `p/ID.md`; `both` says whether
    the other language has it as well.
    """

    path: str
    lang: str
    title: str
    description: str
    text: str
    both: bool = True

    @property
    def other(self) -> str:
        """The address of the same page in the other language, "" where there is none."""
        parts = Path(self.path).with_suffix("").parts
        folders = [
            root("en" if self.lang == "zh" else "zh"),
            *(f"{part}/" for part in parts if part != "index"),
        ]
        return ("".join(folders) or "./") if self.both else ""


def root(lang: str) -> str:
    """Where the pages of a language stand below the site's root."""
    return "zh/" if lang == "zh" else ""


def say(key: str, lang: str, **values: str) -> str:
    """A phrase in a language, with {name} filled in. Raises KeyError for one that is not there."""
    return WORDS[key][lang == "zh"].format(**values)


def page(template: str, path: str, lang: str, title: str, description: str = "", **values: Any) -> Page:
    """A page from a template of docs/templates, which is given the root of its language as `zh`."""
    values = {"title": title, "lang": lang, "zh": root(lang), "about": description, **values}
    text = _environment().get_template(f"{template}.md").render(values)
    return Page(path, lang, title, description or title, text)


def fenced(text: str, language: str = "text") -> str:
    """A block of code."""
    return f"{FENCE}{language}\n{text.strip(chr(10))}\n{FENCE}\n"


def span(text: str) -> str:
    """Code within a line; "" of nothing."""
    ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{ticks} {text} {ticks}" if text.strip() else ""


def plain(text: str) -> str:
    """A text that is no Markdown, as Markdown."""
    return re.sub(r"([\\`*_{}\[\]#])", r"\\\1", text)


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(  # noqa: S701  # Markdown, not HTML
        loader=jinja2.FileSystemLoader(HERE / "templates"), undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    made.filters.update(fenced=fenced, span=span, plain=plain, first_sentence=first_sentence)
    words = (say, one_line, kind_word, effect_word, public_sources, source_line, answer_label)
    made.globals.update({word.__name__: word for word in words})
    return made
