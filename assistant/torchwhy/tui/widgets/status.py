"""The line above the input: what is being done, what was found."""

from __future__ import annotations

from textual.reactive import reactive
from textual.widgets import Static

from .literal import literal


class StatusLine(Static):
    """The first line: where things stand."""

    state: reactive[str] = reactive("")

    def watch_state(self, state: str) -> None:
        self.update(literal("torchwhy", "bold").append(literal(f"  {state}", "dim")))
