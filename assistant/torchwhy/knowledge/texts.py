"""The texts of an entry by field, and their parts: prose, fenced code, what stands in backticks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from torchwhy.text.language import LANGS, Bilingual

from .entry import Pitfall

FENCED = re.compile(r"^ *```(?P<language>[^\n]*)\n(?P<code>.*?)^ *```", re.DOTALL | re.MULTILINE)
RUN_MARK = re.compile(r"^( *```python) run *$", re.MULTILINE)  # of a block that the tests run
SPAN = re.compile(r"`([^`\n]+)`")
SECTIONS = ("cause", "fix", "check")


class CodeBlock(NamedTuple):
    """A fenced block of an entry. `field`: fix.en, check.zh; `language`: the word after the fence."""

    field: str
    language: str
    code: str


def file_of(entry: Pitfall, name: str = "pitfall.yaml") -> str:
    """A file of an entry, as problems name it."""
    return f"{entry.category}/{entry.id}/{name}"


def texts_of(entry: Pitfall) -> Iterator[tuple[str, Bilingual]]:
    """Every bilingual text of an entry beside its questions, by field."""
    for name in ("title", *SECTIONS):
        yield name, getattr(entry, name)
    for number, fact in enumerate(entry.facts):
        yield f"facts[{number}]", fact.text
    for number, signature in enumerate(entry.signatures):
        for at, says in enumerate(signature.says):
            yield f"signatures[{number}].says[{at}]", says.text


def prose_of(markdown: str) -> str:
    """The text without its fenced blocks."""
    return FENCED.sub("\n", markdown)


def code_blocks(entry: Pitfall) -> Iterator[CodeBlock]:
    """The fenced blocks of cause, fix and check, in both languages."""
    for section in SECTIONS:
        for lang in LANGS:
            for found in FENCED.finditer(getattr(entry, section)[lang]):
                code = textwrap.dedent(found["code"])
                yield CodeBlock(f"{section}.{lang}", found["language"].strip(), code)
