"""The thread and what the user said in it. Foreign text is shown literally."""

from __future__ import annotations

from textual import events
from textual.containers import VerticalScroll
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static

from torchwhy.text.phrases import phrase
from torchwhy.tui.state import OfferedRun

from .literal import MAX_UNFOLDED_LINES, MIN_FOLDED_LINES, cleaned, literal, size

MIN_FOLDED_CHARS = 4000  # a longer message is folded, whatever its lines
MAX_SEARCHED_CHARS = 20_000  # of a folded message, where its first line is looked for
MAX_FIRST_LINE_CHARS = 200


class ThreadView(VerticalScroll, can_focus=False):
    """What was said. It keeps `target` at its top while that is still growing, until the user scrolls."""

    target: Widget | None = None

    def show(self, target: Widget) -> None:
        self.target = target
        self._keep()

    def on_mount(self) -> None:
        self.watch(self, "virtual_size", self._keep, init=False)

    def _keep(self) -> None:
        # A size is told in the middle of a layout; where things are is known after it.
        self.call_after_refresh(self._to_target)

    def _to_target(self) -> None:
        if self.target is not None and self.target.is_mounted:
            self.scroll_to_widget(self.target, top=True, animate=False, immediate=True)

    def on_mouse_scroll_up(self) -> None:
        self.target = None

    def on_mouse_scroll_down(self) -> None:
        self.target = None


class Greeting(Static):
    """What stands on an empty screen: what can be done, with examples to pick by their number."""

    EXAMPLES, FAILED = ("1", "2", "3"), "0"
    failed: OfferedRun | None = None

    def say(self, lang: str) -> None:
        offered = [f"  {number}  {self.example(number, lang)}" for number in self.EXAMPLES]
        if self.failed is not None:
            told = phrase("ui_failed_run", lang, command=self.failed.command)
            offered.insert(0, f"  {self.FAILED}  {told}")
        lines = [phrase("ui_greeting", lang), *offered, phrase("ui_greeting_then", lang)]
        self.update(literal("\n".join(lines)))

    def offered(self, number: str, lang: str) -> str | None:
        """The message behind a number; None where it offers none."""
        if number == self.FAILED:
            return self.failed.text if self.failed is not None else None
        return self.example(number, lang) if number in self.EXAMPLES else None

    @staticmethod
    def example(number: str, lang: str) -> str:
        """The message of an example."""
        return phrase(f"ui_example_{number}", lang)


class Said(Static, can_focus=True):
    """A message of the user; a long one is folded to its first line."""

    folded: reactive[bool] = reactive(True, init=False)

    def __init__(self, text: str, lang: str) -> None:
        super().__init__("", markup=False, classes="said")
        self.text, self.lang = text, lang
        self.lines = text.count("\n") + 1

    def on_mount(self) -> None:
        self.watch_folded(True)

    def watch_folded(self, folded: bool) -> None:
        if self.lines <= MIN_FOLDED_LINES and len(self.text) < MIN_FOLDED_CHARS:
            self.update(literal(cleaned(self.text).strip()))
        elif folded:
            first = next(
                (line.strip() for line in cleaned(self.text, MAX_SEARCHED_CHARS).split("\n") if line.strip()),
                "",
            )
            about = phrase("ui_folded", self.lang, lines=str(self.lines), size=size(self.text))
            self.update(literal(f"▸ {first[:MAX_FIRST_LINE_CHARS]}\n").append(literal(about, "dim")))
        else:
            lines = cleaned(self.text).split("\n")
            shown = "\n".join(lines[:MAX_UNFOLDED_LINES])
            more = (
                phrase("ui_cut", self.lang, lines=str(self.lines - MAX_UNFOLDED_LINES))
                if self.lines > MAX_UNFOLDED_LINES
                else ""
            )
            self.update(literal(f"▾ {shown}\n").append(literal(more, "dim")))

    def on_click(self) -> None:
        self.folded = not self.folded

    def on_key(self, event: events.Key) -> None:
        if event.key in ("enter", "space"):
            event.stop()
            self.folded = not self.folded
