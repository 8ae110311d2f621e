"""Indexes of the entries: by category, by message, by release."""

from __future__ import annotations

import re
from collections.abc import Iterator

from torchwhy.answers.entry_page import kind_word
from torchwhy.knowledge.entry import Pitfall
from torchwhy.knowledge.load import Knowledge
from torchwhy.text.markup import one_line

from .knowledge_pages import runs_of, shipped_evidence
from .phrases import say
from .prose import inline_html, slug
from .render import LANGS, Group, Item, Page, html, list_page

EXCEPTION = re.compile(r"^\s*(?:[a-z_]\w*\.)*([A-Z]\w*(?:Error|Exception|Warning|Unsupported|Interrupt)): ")
MIN_OWN_PAGE = 8  # messages of an exception that has a page of its own
MAX_LINE_CHARS = 160


def index_pages(knowledge: Knowledge) -> Iterator[Page]:
    """Every index, in both languages."""
    for lang in LANGS:
        yield _by_category(knowledge, lang)
        yield _by_release(knowledge, lang)
        yield from _by_message(knowledge, lang)


def _title_item(entry: Pitfall, lang: str) -> Item:
    return Item(f"p/{entry.id}/", html(inline_html(entry.title[lang])), kind_word(entry.kind, lang))


def _by_category(knowledge: Knowledge, lang: str) -> Page:
    categories: dict[str, list[Item]] = {}
    for entry in knowledge.pitfalls.values():
        categories.setdefault(entry.category, []).append(_title_item(entry, lang))
    families = [Item(f"f/{family.id}/", family.title[lang]) for family in knowledge.families.values()]
    groups = [Group("families", say("families", lang), families)]
    groups += [Group(name, name, items) for name, items in sorted(categories.items())]
    return list_page("pitfalls/", lang, say("by_category", lang), groups)


def _by_release(knowledge: Knowledge, lang: str) -> Page:
    ranges: dict[str, list[Item]] = {}
    for entry in knowledge.pitfalls.values():
        for signature in entry.signatures:
            if signature.releases:
                line = one_line(signature.example.strip().splitlines()[-1], MAX_LINE_CHARS)
                item = Item(f"p/{entry.id}/", line, code=True)
                ranges.setdefault(signature.releases, []).append(item)
    groups = [
        Group(f"range-{number}", f"torch {name}", items)
        for number, (name, items) in enumerate(sorted(ranges.items()), 1)
    ]
    changed: list[Item] = []
    evidence = shipped_evidence()
    for entry in knowledge.pitfalls.values():
        runs = runs_of(entry, evidence)
        gone = [run["torch"] for run in runs if run["verdict"] == "not-reproduced"]
        if gone and len(gone) < len(runs):
            note = say("verdict.not-reproduced", lang) + ": " + ", ".join(gone)
            changed.append(Item(f"p/{entry.id}/", html(inline_html(entry.title[lang])), note))
    runs_group = Group("runs", say("recorded_runs", lang), changed)
    return list_page(
        "releases/", lang, say("by_release", lang), [runs_group, *groups], say("by_release_text", lang)
    )


def _by_message(knowledge: Knowledge, lang: str) -> Iterator[Page]:
    """A page of all exceptions; one that many messages have gets a page of its own."""
    named: dict[str, list[Item]] = {}
    for entry in knowledge.pitfalls.values():
        for signature in entry.signatures:
            line = signature.example.strip().splitlines()[-1]
            found = EXCEPTION.match(line)
            item = Item(f"p/{entry.id}/", one_line(line, MAX_LINE_CHARS), code=True)
            named.setdefault(found[1] if found else "", []).append(item)
    groups = []
    for name, items in sorted(named.items()):
        title = name or say("without_exception", lang)
        ordered = sorted(items, key=lambda item: str(item.text).lower())
        if len(ordered) < MIN_OWN_PAGE:
            groups.append(Group(slug(title), title, ordered))
            continue
        path = f"messages/{slug(name) if name else 'other'}/"
        groups.insert(0, Group(slug(title), title, [Item(path, title, str(len(ordered)))]))
        yield list_page(path, lang, title, [Group("all", say("messages_of", lang), ordered)])
    yield list_page("messages/", lang, say("by_message", lang), groups)
