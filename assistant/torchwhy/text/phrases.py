"""The fixed phrases of the output, in both languages. Nothing here comes from a paste or an entry.

Each package keeps its own in its `phrases.py`, or in a `phrases.json` beside that, which registers them when it
is imported.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

Phrase = tuple[str, str]  # in English, in Chinese


_registered: dict[str, Phrase] = {}


def register(table: Mapping[str, Phrase]) -> None:
    """Add a package's phrases. Raises ValueError for a key that already means something else."""
    for key, texts in table.items():
        if _registered.setdefault(key, texts) != texts:
            raise ValueError(f"the phrase {key!r} is already {_registered[key]!r}")


def register_beside(module: str) -> dict[str, Phrase]:
    """Add the phrases of the `phrases.json` beside this file: `{key: [English, Chinese]}`."""
    told = json.loads(Path(module).with_suffix(".json").read_text("utf-8"))
    table = {key: (english, chinese) for key, (english, chinese) in told.items()}
    register(table)
    return table


def all_phrases() -> str:
    """Every phrase that is registered, in both languages, a line each."""
    return "\n".join(text for texts in _registered.values() for text in texts)


def is_phrase(key: str) -> bool:
    """Whether there is a phrase of this name."""
    return key in _registered


def phrase(key: str, lang: str, /, **values: str) -> str:
    """The phrase `key` in `lang`, with {name} filled in. Raises KeyError for one that nobody registered."""
    text = _registered[key][1 if lang == "zh" else 0]
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text
