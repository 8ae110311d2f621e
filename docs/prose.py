"""Markdown to HTML: code with colours by class, no foreign HTML, headings that can be linked to."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

Relink = Callable[[str], str | None]  # of a link's address: the one to write, None for a link to leave out
PLAIN_LANGUAGES = ("", "text", "txt", "console")
CJK_SLUG = re.compile(r"[^\w\u3400-\u9fff]+")


def slug(text: str) -> str:
    """The id of a heading."""
    return CJK_SLUG.sub("-", text.lower()).strip("-") or "section"


@lru_cache(maxsize=4096)
def code_html(code: str, language: str = "") -> str:
    """A block of code. It can be scrolled with the keyboard."""
    body = escape(code.rstrip("\n"), quote=False)
    if language not in PLAIN_LANGUAGES:
        try:
            body = highlight(
                code.rstrip("\n"), get_lexer_by_name(language), HtmlFormatter(nowrap=True)
            ).rstrip()
        except ClassNotFound:
            pass
    return f'<pre tabindex="0"><code>{body}</code></pre>\n'


def _fence(renderer: RendererHTML, tokens: Sequence[Token], number: int, *rest: Any) -> str:
    info = tokens[number].info.split()
    return code_html(tokens[number].content, info[0] if info else "")


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    parser.add_render_rule("code_block", _fence)
    return parser


def markdown_html(text: str, *, below: int = 0, relink: Relink | None = None, ids: bool = False) -> str:
    """Markdown as HTML. `below`: levels by which headings go down; `relink`: what becomes of links; `ids`:
    whether headings get ids (a page's own text, never an entry's, of which several stand on a page).
    """
    tokens = _parser().parse(re.sub(r"<!--.*?-->\n?", "", text, flags=re.DOTALL))
    for number, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + below)}"
            if ids and token.type == "heading_open":
                token.attrSet("id", slug(tokens[number + 1].content))
        if token.type == "table_open":
            token.attrSet("tabindex", "0")
        if token.children and relink is not None:
            token.children = _relinked(token.children, relink)
    return str(_parser().renderer.render(tokens, _parser().options, {}))


def _relinked(children: list[Token], relink: Relink) -> list[Token]:
    """Inline tokens with their links rewritten, or taken off their text."""
    kept: list[Token] = []
    dropped = 0
    for token in children:
        if token.type == "image":
            continue
        if token.type == "link_open":
            address = relink(str(token.attrGet("href")))
            if address is None:
                dropped += 1
                continue
            token.attrSet("href", address)
        if token.type == "link_close" and dropped:
            dropped -= 1
            continue
        kept.append(token)
    return kept


def inline_html(text: str) -> str:
    """One line of Markdown (a title, a check) without a paragraph around it."""
    return str(_parser().renderInline(text))
