"""The first page, the how-tos of guides/, and the tree's own documents as pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from torchwhy.knowledge.load import Knowledge

from .phrases import say
from .prose import inline_html, markdown_html
from .record import ROOT, SESSION
from .render import LANGS, Group, Item, Page, address, filled, html, list_page

GUIDES = Path(__file__).parent / "guides"
ORDER = ("first-diagnosis", "silent", "notebooks", "own-knowledge", "ci", "cluster", "agents")
# Documents of the tree, which are English: their place in it, their address.
DOCUMENTS = {
    **{
        path.relative_to(ROOT).as_posix(): f"guides/{path.stem}{'-in-full' if path.stem in ORDER else ''}/"
        for path in sorted((ROOT / "docs").glob("*.md"))
    },
    "kb/README.md": "guides/writing-entries/",
    "SECURITY.md": "guides/security/",
    "CONTRIBUTING.md": "guides/contributing/",
}
SCRIPT = "finder.js"
HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


class Guide(NamedTuple):
    """A how-to: its name, its title, its Markdown below the title."""

    name: str
    title: str
    text: str


def guide(name: str, lang: str) -> Guide:
    """A how-to in a language."""
    return _split(name, (GUIDES / f"{name}.{lang}.md").read_text("utf-8"))


def _split(name: str, text: str) -> Guide:
    found = HEADING.search(text)
    if found is None:
        raise ValueError(f"{name}: no heading of level one")
    return Guide(name, found[1], text[: found.start()] + text[found.end() :])


def first_sentence_of(text: str) -> str:
    """The first paragraph of Markdown in one line, without its marks."""
    paragraph = text.strip().split("\n\n")[0]
    return re.sub(r"[`*\[\]]|\(\S+\)", "", " ".join(paragraph.split()))[:200]


def start_pages(knowledge: Knowledge) -> Iterator[Page]:
    """The first page and the search page in both languages."""
    steps = json.loads(SESSION.read_text("utf-8"))
    for lang in LANGS:
        text = (GUIDES / f"start.{lang}.md").read_text("utf-8")
        about = html(markdown_html(text, relink=partial(_relinked, folder="", lang=lang)))
        families = list(knowledge.families.values())
        content = filled("start", lang, about=about, session=steps, families=families)
        yield Page("", lang, say("tagline", lang), first_sentence_of(text), content, script=SCRIPT)
        search = filled("searching", lang)
        yield Page(
            "search/", lang, say("search_title", lang), say("search_hint", lang), search, script=SCRIPT
        )


def guide_pages() -> Iterator[Page]:
    """The how-tos in both languages, the documents in English, and a list of them all in each language."""
    documents = {place: _split(place, (ROOT / place).read_text("utf-8")) for place in DOCUMENTS}
    for lang in LANGS:
        items = []
        for name in ORDER:
            one = guide(name, lang)
            items.append(Item(f"guides/{name}/", one.title))
            yield _article(one, f"guides/{name}/", "docs", lang)
        english = say("english_only", lang)
        items += [
            Item(DOCUMENTS[place], one.title, english, english=True) for place, one in documents.items()
        ]
        title = say("guides", lang)
        yield list_page("guides/", lang, title, [Group("all", title, items)])
    for place, one in documents.items():
        folder = Path(place).parent.as_posix()
        yield _article(one, DOCUMENTS[place], folder, "en", both=False)


def _article(one: Guide, path: str, folder: str, lang: str, *, both: bool = True) -> Page:
    body = markdown_html(one.text, ids=True, relink=partial(_relinked, folder=folder, lang=lang))
    content = f"<article>\n<h1>{inline_html(one.title)}</h1>\n{body}</article>"
    return Page(path, lang, one.title, first_sentence_of(one.text), content, both=both)


def _relinked(link: str, folder: str, lang: str) -> str | None:
    """Where a link of a document leads.

    `site:PATH` is a page of the site in this language, `site-en:PATH` one that is English only, a document
    its page, another site itself; None is a file that is no part of the site.
    """
    scheme, _, rest = link.partition(":")
    if scheme in ("site", "site-en"):
        return "@/" + address(rest, lang if scheme == "site" else "en")
    if link.startswith(("https://", "http://", "#")):
        return link
    place, _, anchor = link.partition("#")
    named = (Path("/", folder) / place).resolve().relative_to("/").as_posix()
    path = DOCUMENTS.get(named)
    return f"@/{path}{'#' + anchor if anchor else ''}" if path else None
