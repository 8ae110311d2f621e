"""The passages of an entry: what lexical search and the encoder find it by."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from torchwhy.knowledge.entry import Pitfall
from torchwhy.paste.parse import parse
from torchwhy.text.language import LANGS

FENCE = re.compile(r"```.*?```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of an entry. `field`: title, ask, example, cause or check."""

    entry: str
    field: str
    lang: str
    text: str


def passages(entry: Pitfall) -> Iterator[Passage]:
    """Every passage of an entry, in a fixed order."""
    for lang in LANGS:
        again = lang == "zh" and entry.title.zh == entry.title.en  # of a base of one language
        if not again:
            yield Passage(entry.id, "title", lang, entry.title[lang])
        for line in entry.asks[lang]:
            yield Passage(entry.id, "ask", lang, line)
        if again:
            continue
        yield Passage(entry.id, "cause", lang, paragraph(entry.cause[lang]))
        yield Passage(entry.id, "check", lang, paragraph(entry.check[lang]))
    for signature in entry.signatures:
        yield Passage(entry.id, "example", "en", parse(signature.example).distilled)


def all_passages(pitfalls: Mapping[str, Pitfall]) -> Iterator[Passage]:
    """Every passage of every entry, and each near-miss as a text of the entry that owns it, in a fixed
    order.
    """
    owned: dict[str, list[str]] = {}
    for entry in pitfalls.values():
        for pair in entry.look_alikes:
            if pair.near_miss:
                owned.setdefault(pair.id, []).append(pair.near_miss)
    for entry in pitfalls.values():
        yield from passages(entry)
        for text in owned.get(entry.id, ()):
            paste = parse(text)
            yield Passage(entry.id, "example" if paste.root else "ask", paste.lang, paste.distilled)


def paragraph(markdown: str) -> str:
    """The first paragraph of a Markdown text, without code blocks."""
    return FENCE.sub(" ", markdown).strip().split("\n\n")[0].strip()


def document(entry: Pitfall) -> dict[str, str]:
    """The entry as lexical columns: name, asks, messages, body."""
    asks = "\n".join(line for lang in LANGS for line in entry.asks[lang])
    texts = dict.fromkeys(text[lang] for text in (entry.cause, entry.fix, entry.check) for lang in LANGS)
    body = "\n".join(FENCE.sub(" ", text) for text in texts)
    titles = dict.fromkeys((entry.title.en, entry.title.zh))
    return {
        "name": "\n".join((entry.id.replace("-", " "), *titles)),
        "asks": asks,
        "messages": "\n".join(signature.example for signature in entry.signatures),
        "body": body,
    }
