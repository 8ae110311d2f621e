"""What can be asked next, under the answers: a click asks it, and so do the arrow keys and Enter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widgets import Static

from torchwhy.text.width import width_of

from .literal import literal

GAP = "  "


class Chips(Static, can_focus=True):
    """A row of questions, as many as fit, the first first. `at`: the one that Enter asks."""

    questions: reactive[Sequence[str]] = reactive((), init=False)
    at: reactive[int] = reactive(0, init=False)

    @dataclass
    class Asked(Message):
        """One of them was chosen."""

        question: str

    def __init__(self) -> None:
        super().__init__("", id="chips", markup=False)

    @property
    def fitting(self) -> Sequence[str]:
        """Those that the row has room for."""
        room, kept = self.content_size.width, 0
        for question in self.questions:
            room -= width_of(question) + 2 + len(GAP)
            if room + len(GAP) < 0:
                break
            kept += 1
        return self.questions[:kept]

    def watch_questions(self) -> None:
        self.display = bool(self.questions)
        self.at = 0
        self._draw()

    def watch_at(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_focus(self) -> None:
        self._draw()

    def on_blur(self) -> None:
        self._draw()

    def _draw(self) -> None:
        parts = []
        for at, question in enumerate(self.fitting):
            style = "reverse" if self.has_focus and at == self.at else "bold"
            asks = Style.from_meta({"@click": f"ask({at})"})
            parts.append(literal(f" {question} ", style).stylize(asks))
        self.update(Content(GAP).join(parts))

    def action_ask(self, at: int) -> None:
        """Ask the question at this place."""
        if at < len(self.fitting):
            self.post_message(self.Asked(self.fitting[at]))

    def on_key(self, event: events.Key) -> None:
        moves = {"left": -1, "right": 1}
        if event.key in moves and self.fitting:
            event.stop()
            self.at = (self.at + moves[event.key]) % len(self.fitting)
        elif event.key in ("enter", "space"):
            event.stop()
            self.action_ask(self.at)
