"""The fixed phrases of the output, in both languages. Nothing here comes from a paste or an entry.

Each package keeps its own in a `phrases.json`: `{key: [English, Chinese]}`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

Phrase = tuple[str, str]  # in English, in Chinese
PACKAGE = Path(__file__).parents[1]


@cache
def _phrases() -> dict[str, Phrase]:
    """By key; the files of all packages are read when the first phrase is wanted. Raises ValueError for a key
    that means two things.
    """
    found: dict[str, Phrase] = {}
    for path in PACKAGE.glob("*/phrases.json"):
        for key, (english, chinese) in json.loads(path.read_text("utf-8")).items():
            if found.setdefault(key, (english, chinese)) != (english, chinese):
                raise ValueError(f"{path}: the phrase {key!r} is already {found[key]!r}")
    return found


def all_phrases() -> str:
    """Every phrase, in both languages, a line each."""
    return "\n".join(text for texts in _phrases().values() for text in texts)


def is_phrase(key: str) -> bool:
    """Whether there is a phrase of this name."""
    return key in _phrases()


def phrase(key: str, lang: str, /, **values: str) -> str:
    """The phrase `key` in `lang`, with {name} filled in. Raises KeyError where there is none."""
    text = _phrases()[key][1 if lang == "zh" else 0]
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text
