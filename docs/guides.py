"""The first page, the how-tos of guides/, and the tree's own documents as pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from torchwhy.knowledge.load import Knowledge

from .pages import LANGS, Page, page, say
from .record import ROOT, SESSION

GUIDES = Path(__file__).parent / "guides"
ORDER = ("first-diagnosis", "silent", "notebooks", "own-knowledge", "ci", "cluster", "agents")
# of the tree, which are English
OTHERS = ("kb/README.md", "SECURITY.md", "CONTRIBUTING.md")
DOCUMENTS = [*sorted((ROOT / "docs").glob("*.md")), *map(ROOT.joinpath, OTHERS)]


def start_pages(knowledge: Knowledge) -> Iterator[Page]:
    """The first page and the search page in both languages."""
    steps, families = json.loads(SESSION.read_text("utf-8")), knowledge.families.values()
    for lang in LANGS:
        text = (GUIDES / f"start.{lang}.md").read_text("utf-8")
        title, about = say("tagline", lang), _first_paragraph(text)
        yield page("start", "index.md", lang, title, about, text=text, session=steps, families=families)
        yield page("search", "search.md", lang, say("search_title", lang), say("search_hint", lang))


def guide_pages(_: Knowledge) -> Iterator[Page]:
    """The how-tos in both languages, the documents in English, and a list of them all in each language."""
    places = {file.relative_to(ROOT).as_posix(): file for file in DOCUMENTS}
    documents = [_page(place, "en", file)._replace(both=False) for place, file in places.items()]
    yield from documents
    for lang in LANGS:
        guides = [_page(f"guides/{name}.md", lang, GUIDES / f"{name}.{lang}.md") for name in ORDER]
        yield from guides
        yield page("list", "guides/index.md", lang, say("guides", lang), pages=[*guides, *documents])


def _page(path: str, lang: str, file: Path) -> Page:
    """A file whose title is its first line."""
    text = file.read_text("utf-8")
    heading, _, body = text.partition("\n")
    return Page(path, lang, heading.removeprefix("# "), _first_paragraph(body), text)


def _first_paragraph(text: str) -> str:
    """In one line, without the marks of Markdown."""
    paragraph = text.strip().split("\n\n")[0]
    return re.sub(r"[`*\[\]]|\(\S+\)", "", " ".join(paragraph.split()))[:200]
