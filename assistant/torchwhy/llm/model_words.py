"""A model's words as Markdown that cannot do anything: text, lists, code, and links to known pages alone.

The words are parsed by the parser that draws them, and written anew from what was understood. What comes out
is parsed once more; if it still held a foreign link, a picture or HTML, it would be shown as it stands, in a
code block.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from markdown_it import MarkdownIt
from markdown_it.token import Token

from torchwhy.text.markup import fence
from torchwhy.text.plain import plain

THINKING = re.compile(r"\s*<think>")
URL = re.compile(r"(?i)(?:[a-z][a-z0-9+.-]{0,30}://|www\.|mailto:|javascript:|data:)[^\s<>`]+")
# What would be read as markup when text is written out again: the joints of links, tags, entities, fences.
JOINTS = (
    (re.compile(r"`"), "'"),
    (re.compile(r"\](?=[(\[:])"), "] "),
    (re.compile(r"!(?=\[)"), "! "),
    (re.compile(r"<(?=[A-Za-z/!?])"), "< "),
    (re.compile(r"&(?=#|\w)"), "& "),
    (re.compile(r"\\(?=[!-/:-@\[-`{-~\n]|$)"), r"\\\\"),
)
MAX_LIST_DEPTH = 6


def cleaned(text: str, known_urls: Collection[str] = ()) -> str:
    """`text` of a model for the screen; links to `known_urls` stay, every other address is shown and not
    linked.
    """
    text = without_thinking(plain(text)).strip()
    parser = MarkdownIt("commonmark", {"maxNesting": 20})
    known = {parser.normalizeLink(url) for url in known_urls}
    written = _blocks(parser.parse(text), known).strip()
    return written if is_harmless(written, known) else fence(text)


def without_thinking(text: str) -> str:
    """`text` without what the model thought aloud before it (`<think>...</think>`)."""
    if not THINKING.match(text):
        return text
    end = text.find("</think>")
    return text if end < 0 else text[end + len("</think>") :]


def is_harmless(markdown: str, known_urls: Collection[str]) -> bool:
    """Whether a Markdown text holds no HTML, no picture, and no link but to `known_urls` (normalised)."""
    for block in MarkdownIt("commonmark").parse(markdown):
        for token in (block, *(block.children or ())):
            if token.type in ("image", "html_inline", "html_block"):
                return False
            if token.type == "link_open" and token.attrs.get("href") not in known_urls:
                return False
    return True


def _blocks(tokens: list[Token], known: set[str]) -> str:
    lines: list[str] = []
    lists: list[str] = []  # the mark of the item that each open list is at
    quotes = 0
    is_heading = is_first = False
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(
                "-" if token.type == "bullet_list_open" else f"{int(token.attrs.get('start', 1)) - 1}."
            )
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            lists[-1] = "-" if lists[-1] == "-" else f"{int(lists[-1][:-1]) + 1}."
            is_first = True
        elif token.type in ("blockquote_open", "blockquote_close"):
            quotes += 1 if token.type == "blockquote_open" else -1
        elif token.type in ("heading_open", "heading_close"):
            is_heading = token.type == "heading_open"
        elif token.type in ("inline", "fence", "code_block", "html_block"):
            body = _body(token, known)
            body = f"**{body.replace('**', '')}**" if is_heading and body else body
            lines.append(_placed(body, lists[:MAX_LIST_DEPTH], quotes, is_first))
            is_first = False
    return "\n\n".join(line for line in lines if line.strip())


def _body(token: Token, known: set[str]) -> str:
    """What stands in one block."""
    if token.type == "inline":
        return _inline(token.children or [], known)
    if token.type == "html_block":
        return _text(token.content, known).strip()
    return fence(token.content, re.sub(r"[^\w+-]", "", token.info)[:20])


def _placed(body: str, marks: list[str], quotes: int, is_first: bool) -> str:
    """A block inside its quotes and lists: behind the mark of the innermost list where it is an item's
    first.
    """
    before = "> " * min(quotes, MAX_LIST_DEPTH)
    indent = "".join(" " * (len(mark) + 1) for mark in marks)
    first = indent[: -len(marks[-1]) - 1] + f"{marks[-1]} " if marks and is_first else indent
    return "\n".join(
        f"{before}{first if number == 0 else indent}{line}" for number, line in enumerate(body.split("\n"))
    )


def _inline(tokens: list[Token], known: set[str]) -> str:
    parts: list[str] = []
    targets: list[str] = []
    for token in tokens:
        if token.type in ("text", "html_inline"):
            parts.append(_text(token.content, known))
        elif token.type == "code_inline":
            parts.append(_code(token.content))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif token.type in ("strong_open", "strong_close"):
            parts.append("**")
        elif token.type == "image":
            parts.append(f"{_text(token.content, known)} ({_code(str(token.attrs.get('src', '')))})")
        elif token.type == "link_open":
            targets.append(str(token.attrs.get("href", "")))
            if targets[-1] in known:
                parts.append("[")
        elif token.type == "link_close":
            target = targets.pop()
            shown = "".join(parts)
            if target in known:
                parts.append(f"](<{target}>)")
            elif not shown.endswith(_code(target)):
                parts.append(f" ({_code(target)})")
    return "".join(parts).strip()


def _text(text: str, known: set[str]) -> str:
    """Words as words: no joint of markup, addresses that are not known as code."""
    parts, place = [], 0
    for match in URL.finditer(text):
        parts += [_words(text[place : match.start()]), match[0] if match[0] in known else _code(match[0])]
        place = match.end()
    return "".join([*parts, _words(text[place:])])


def _words(text: str) -> str:
    for pattern, instead in JOINTS:
        text = pattern.sub(instead, text)
    return text


def _code(text: str) -> str:
    """A code span that its content cannot leave; the content on one line."""
    text = " ".join(text.split())
    ticks = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}" if text else ""
