"""What of a new entry still is the template's: to be edited before any other rule says something of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.files import ASKS_FILES, read_text
from torchwhy.knowledge.texts import file_of
from torchwhy.runtime import locations
from torchwhy.text.language import LANGS, Lang

from .create import IN_ENTRY

TEXTS = ("title", "cause", "fix", "check")


def check_untouched(entry: Pitfall) -> list[Problem]:
    """One problem, which names every field that is the template's."""
    fields = list(_untouched(entry))
    if not fields:
        return []
    return [Problem(file_of(entry), ", ".join(fields), "what the template says", "your own: edit me")]


def _untouched(entry: Pitfall) -> Iterator[str]:
    if IN_ENTRY not in read_text(Path(entry.folder) / "pitfall.yaml"):  # not of `kb new`
        return
    template, asks = _template()
    for field in TEXTS:
        told = getattr(entry, field)
        if any(told[lang].strip() == template[field][lang].strip() for lang in LANGS):
            yield field
    examples = {each["example"] for each in template["signatures"]}
    for number, signature in enumerate(entry.signatures):
        if signature.example in examples:
            yield f"signatures[{number}]"
    for lang, file in ASKS_FILES.items():
        if asks[lang] & set(entry.asks[lang]):
            yield file


@lru_cache(maxsize=1)
def _template() -> tuple[dict[str, Any], dict[Lang, set[str]]]:
    from torchwhy.knowledge.schema import load_yaml

    folder = locations.shipped("kb") / "_template"
    asks = {lang: set(read_text(folder / file).splitlines()) for lang, file in ASKS_FILES.items()}
    return load_yaml(read_text(folder / "pitfall.yaml")), asks
