"""Indexes of the entries: by category, by message, by release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from torchwhy.knowledge.load import Knowledge
from torchwhy.text.markup import one_line

from .knowledge_pages import runs_of, shipped_evidence
from .pages import LANGS, Page, page, say

EXCEPTION = re.compile(r"^\s*(?:[a-z_]\w*\.)*([A-Z]\w*(?:Error|Exception|Warning|Unsupported|Interrupt)): ")
MIN_OWN_PAGE = 8  # messages of an exception that has a page of its own
MAX_LINE_CHARS = 160


class Message(NamedTuple):
    """The last line of an example, its exception ("" of none), the releases that print it, its entry."""

    line: str
    exception: str
    releases: str
    entry: str


def index_pages(knowledge: Knowledge) -> Iterator[Page]:
    """Every index, in both languages."""
    entries, messages = list(knowledge.pitfalls.values()), _messages(knowledge)
    evidence = shipped_evidence()
    changed = []
    for entry in entries:
        runs = runs_of(entry, evidence)
        gone = [run["torch"] for run in runs if run["verdict"] == "not-reproduced"]
        if 0 < len(gone) < len(runs):
            changed.append((entry, gone))
    named: dict[str, list[Message]] = {}
    for one in messages:
        named.setdefault(one.exception, []).append(one)
    for lang in LANGS:
        families = knowledge.families.values()
        title = say("by_category", lang)
        yield page("by_category", "pitfalls.md", lang, title, families=families, entries=entries)
        title, about = say("by_release", lang), say("by_release_text", lang)
        yield page("by_release", "releases.md", lang, title, about, messages=messages, changed=changed)
        title = say("by_message", lang)
        yield page("by_message", "messages/index.md", lang, title, named=named, own=MIN_OWN_PAGE)
        for name, found in named.items():
            if len(found) >= MIN_OWN_PAGE:
                title, path = name or say("without_exception", lang), f"messages/{name.lower() or 'other'}.md"
                yield page("messages", path, lang, title, messages=found)


def _messages(knowledge: Knowledge) -> list[Message]:
    found = []
    for entry in knowledge.pitfalls.values():
        for signature in entry.signatures:
            line = signature.example.strip().splitlines()[-1]
            named = EXCEPTION.match(line)
            shown = one_line(line, MAX_LINE_CHARS)
            found.append(Message(shown, named[1] if named else "", signature.releases or "", entry.id))
    return sorted(found, key=lambda one: (one.exception, one.line.lower()))
