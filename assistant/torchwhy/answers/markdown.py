"""Answers and entries as Markdown pages. On a terminal rich draws them; in a pipe the Markdown is the plain
text.
"""

from __future__ import annotations

from collections.abc import Iterable

from torchwhy.knowledge.entry import Pitfall

from .answer import Answer, Section
from .entry_page import entry_sections
from .sections import answer_sections


def page(sections: Iterable[Section]) -> str:
    """Sections as one page: the title as its heading, every other below it."""
    return "\n\n".join(_section(section) for section in sections) + "\n"


def _section(section: Section) -> str:
    if section.kind != "title":
        return section.markdown
    return "\n\n".join(part for part in (f"# {section.title}", section.body) if part)


def answer_markdown(answer: Answer, *, brief: bool = False) -> str:
    """The whole answer as a page; `brief`: without evidence and sources."""
    return page(answer_sections(answer, brief=brief))


def entry_markdown(entry: Pitfall, lang: str) -> str:
    """An entry as a page: `torchwhy show`."""
    return page(entry_sections(entry, lang))
