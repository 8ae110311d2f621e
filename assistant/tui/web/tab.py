"""What the process of a tab is told."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Tab:
    """What the command line asked for, for every tab. `piped`: a file that holds what was piped in."""

    kb: str | None = None
    model: str | None = None
    lang: str = "auto"
    vectors: bool = True
    piped: str | None = None
    machine: bool = False
