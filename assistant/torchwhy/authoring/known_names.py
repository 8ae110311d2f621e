"""Names that everybody knows (`known_names.yaml`)."""

from __future__ import annotations

from pathlib import Path

from torchwhy.knowledge.schema import load_yaml


def known_names(group: str) -> frozenset[str]:
    """The names of a group of the file."""
    groups = load_yaml(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    return frozenset(groups[group].split())
