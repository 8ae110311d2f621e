"""The texts that a pattern is first looked for by."""

from __future__ import annotations

from torchwhy.knowledge.literals import all_required_literals, most_selective


def required_literals(pattern: str) -> tuple[str, ...]:
    return most_selective(all_required_literals(pattern))
