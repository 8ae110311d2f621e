"""The words of the site's pages, in both languages (`phrases.yaml`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from torchwhy.knowledge.schema import load_yaml

WORDS: Mapping[str, tuple[str, str]] = load_yaml(Path(__file__).with_suffix(".yaml").read_text("utf-8"))


def say(key: str, lang: str, **values: str) -> str:
    """A phrase in a language, with {name} filled in. Raises KeyError for one that is not there."""
    return WORDS[key][lang == "zh"].format(**values)
