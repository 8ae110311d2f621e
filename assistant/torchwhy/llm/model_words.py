"""A model's words as Markdown that cannot do anything: text, lists, code, and links to known pages alone.

What could be a link, a picture or HTML is written as words, and the result is parsed by the parser that draws
it: if it still held one, it would be shown as it stands, in a code block.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from markdown_it import MarkdownIt

from torchwhy.text.markup import fence, span
from torchwhy.text.plain import plain

THINKING = re.compile(r"\s*<think>")
CODE = re.compile(r"(^ *```.*?^ *```[^\n]*$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
URL = r"(?i:(?:[a-z][a-z0-9+.-]{0,30}://|www\.|mailto:|javascript:|data:)[^\s<>`]+)"
ADDRESS = re.compile(
    rf"!?\[(?P<shown>[^\[\]]*)\]\(\s*<?(?P<target>[^\s<>()]+)>?(?:\s[^()\n]*)?\)|(?P<bare>{URL})"
)
HEADING = re.compile(r"^ {0,3}#{1,6} +(.+)$", re.MULTILINE)
# What could be markup: the joints of links, tags, entities, escapes.
JOINTS = (
    (re.compile(r"\](?=[(\[:])"), "] "),
    (re.compile(r"!(?=\[)"), "! "),
    (re.compile(r"<(?=[A-Za-z/!?])"), "< "),
    (re.compile(r"&(?=#|\w)"), "& "),
    (re.compile(r"\\(?=[!-/:-@\[-`{-~\n]|$)"), r"\\\\"),
)
FORBIDDEN = ("image", "html_inline", "html_block", "heading_open")


def cleaned(text: str, known_urls: Collection[str] = ()) -> str:
    """`text` of a model for the screen; links to `known_urls` stay, every other address is shown and not
    linked.
    """
    text = without_thinking(plain(text)).strip()
    parser = MarkdownIt("commonmark")
    known = {parser.normalizeLink(url) for url in known_urls}
    parts = [part if at % 2 else _words(part, known) for at, part in enumerate(CODE.split(text))]
    written = "".join(parts)
    return written if is_harmless(written, known) else fence(text)


def without_thinking(text: str) -> str:
    """`text` without what the model thought aloud before it (`<think>...</think>`)."""
    if not THINKING.match(text):
        return text
    end = text.find("</think>")
    return text if end < 0 else text[end + len("</think>") :]


def is_harmless(markdown: str, known_urls: Collection[str]) -> bool:
    """Whether a Markdown text holds no HTML, no picture, no heading, and no link but to `known_urls`
    (normalised).
    """
    tokens = MarkdownIt("commonmark").parse(markdown)
    every = [token for block in tokens for token in (block, *(block.children or ()))]
    return not any(
        token.type in FORBIDDEN or (token.type == "link_open" and token.attrs.get("href") not in known_urls)
        for token in every
    )


def _words(text: str, known: Collection[str]) -> str:
    """What is no code: addresses that are not known as code, no heading, and no joint of markup."""
    parts, place = [], 0
    text = HEADING.sub(r"**\1**", text)
    for found in ADDRESS.finditer(text):
        parts += [_unjoined(text[place : found.start()]), _address(found, known)]
        place = found.end()
    return "".join([*parts, _unjoined(text[place:])])


def _address(found: re.Match[str], known: Collection[str]) -> str:
    target = found["target"] or found["bare"]
    if target in known and not found[0].startswith("!"):
        return found[0]
    shown = _unjoined(found["shown"] or "")
    return f"{shown} ({span(target)})" if shown else span(target)


def _unjoined(text: str) -> str:
    for pattern, instead in JOINTS:
        text = pattern.sub(instead, text)
    return text
