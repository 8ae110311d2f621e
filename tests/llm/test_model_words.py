"""A model's words can be read and can do nothing: no link that hides its address, no picture, no HTML."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.text.worst_shapes import growth, repeated
from torchwhy.llm.model_words import cleaned, is_harmless
from torchwhy.text.plain import harmless

EVIL = "http://evil.example/x"
KNOWN = "https://pytorch.org/docs/stable/notes/autograd.html"
LINKS = (
    f"[a]({EVIL})",
    f"[a]( {EVIL} )",
    f"[a](<{EVIL}>)",
    f'[a]({EVIL} "title")',
    f"[a[b]]({EVIL})",
    f"[a\nb]({EVIL})",
    f"[a\\]b]({EVIL})",
    f"[{'a' * 600}]({EVIL})",
    f"[a][1]\n\n[1]: {EVIL}",
    f"[a][]\n\n[a]: {EVIL}",
    f"[a]\n\n> [a]: {EVIL}",
    f"[a]\n\n- [a]: {EVIL}",
    f"![a]({EVIL})",
    f"[![a]({EVIL})]({EVIL})",
    f"<{EVIL}>",
    f'<a href="{EVIL}">a</a>',
    f'<img src="{EVIL}">',
    f"[a](\n{EVIL}\n)",
    "[a](javascript:alert(1))",
    "[a](file:///etc/passwd)",
    f"**[a]({EVIL})**",
    f"# [a]({EVIL})",
    f"&#91;a&#93;({EVIL})",
    f"\\[a\\]({EVIL})",
    f"[a]\\({EVIL})",
    f"`[`a]({EVIL})",
    "[a](http:&#47;&#47;evil.example)",
)


def opened(markdown: str) -> list[str]:
    """Where a screen would go or load from."""
    return [
        str(token.attrs.get("href") or token.attrs.get("src"))
        for block in MarkdownIt("commonmark").parse(markdown)
        for token in (block, *(block.children or ()))
        if token.type in ("link_open", "image", "html_inline", "html_block")
    ]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("place", ["{}", "see {} now", "- {}", "> {}", "1. x\n2. {}"])
def test_no_link_goes_anywhere_else(link: str, place: str) -> None:
    text = cleaned(place.format(link), [KNOWN])
    assert opened(text) == []
    assert cleaned(text, [KNOWN]) == text or opened(cleaned(text, [KNOWN])) == []


def test_a_hidden_address_is_shown() -> None:
    assert cleaned(f"read [the docs]({EVIL}).") == f"read the docs (`{EVIL}`)."
    assert cleaned(f"read {EVIL} now") == f"read `{EVIL}` now"


def test_links_to_the_sources_stay() -> None:
    assert opened(cleaned(f"read [the docs]({KNOWN}).", [KNOWN])) == [KNOWN]
    assert opened(cleaned(f"read [the docs]({KNOWN}?x=1).", [KNOWN])) == []


def test_what_is_harmless_stays() -> None:
    text = "Use `hidden.detach()` [backward-twice].\n\n- one\n\n- **two**\n\n```python\nx = a[0](b)\n```"
    assert cleaned(text) == text


PIECES = [*'[]()<>!`*_#-\\":ax', "```", "**", "1.", "&lt;", "&#91;", "<a href="]
MARKUP = st.lists(
    st.sampled_from([*PIECES, "\n", "\n\n", " ", "\t", "    ", "\x1b[1m", EVIL, KNOWN]), max_size=25
).map("".join)


@given(MARKUP | st.text(st.characters(), max_size=40))
@settings(max_examples=800, deadline=None)
def test_whatever_a_model_says_is_made_harmless(text: str) -> None:
    out = cleaned(text, [KNOWN])
    assert is_harmless(out, [KNOWN])
    assert harmless(out) == out
    assert not {c for c in out if unicodedata.category(c) in ("Cc", "Cf", "Cs")} - set("\n\t\r")


@pytest.mark.parametrize(
    "piece",
    ["[", "](", "a[b](", "`", "<", "<think>", "> ", "- ", "*", "&#", "\\", "http://a", "[a]: b\n", "!["],
)
def test_the_time_is_linear(piece: str) -> None:
    """For the 20,000 characters of an answer that are taken; the parser itself bounds its nesting."""
    assert growth(cleaned, repeated(piece), sizes=(10_000, 20_000)) <= 3
