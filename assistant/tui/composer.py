"""Where the user writes. A paste of any size is one message; a large one stands folded above the input."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static, TextArea

from assistant.words import word

from .literal import literal, size, visible

FOLDED = 4000  # characters from which a paste is folded
FOLDED_LINES = 15


def lines(text: str) -> str:
    """Terminals send pasted line ends as returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def large(text: str) -> bool:
    return len(text) >= FOLDED or text.count("\n") >= FOLDED_LINES


class Input(TextArea):
    """The text area: Enter sends, Ctrl+J and Shift+Enter make a line."""

    BINDINGS = [
        Binding("enter", "send", "Send", show=False, priority=True),
        Binding("ctrl+j,shift+enter,alt+enter", "new_line", "New line", show=False, priority=True),
    ]

    class Sent(Message):
        """Enter was pressed."""

    class Emptied(Message):
        """Backspace was pressed in an empty input."""

    def action_send(self) -> None:
        self.post_message(self.Sent())

    def action_new_line(self) -> None:
        self.insert("\n")

    async def _on_paste(self, event: events.Paste) -> None:
        # Handled here instead of by TextArea: a log of megabytes does not belong into an editor. It goes up to the composer
        # as it is: a message of its own would stand behind an Enter that came right after the paste.
        event.prevent_default()
        event.text = lines(event.text)
        if not large(event.text):
            event.stop()
            self.insert(visible(event.text))

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace" and not self.text:
            self.post_message(self.Emptied())
        elif event.key in ("pageup", "pagedown"):
            event.prevent_default()


class Composer(Vertical):
    """The input and the folded paste above it. `attached` is the folded text."""

    attached: reactive[str] = reactive("", always_update=True)
    lang: reactive[str] = reactive("en")

    class Submitted(Message):
        """A message to answer."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def compose(self) -> ComposeResult:
        yield Static("", id="attached", markup=False)
        yield Input("", id="input", soft_wrap=True, show_line_numbers=False, highlight_cursor_line=False, tab_behavior="focus")

    @property
    def input(self) -> Input:
        return self.query_one(Input)

    def watch_attached(self, text: str) -> None:
        shown = self.query_one("#attached", Static)
        shown.display = bool(text)
        if text:
            shown.update(literal("▸ " + word("ui_attached", self.lang, lines=str(text.count("\n") + 1), size=size(text))))

    def watch_lang(self, lang: str) -> None:
        self.input.placeholder = word("ui_placeholder", lang)
        self.attached = self.attached

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.attached = f"{self.attached}\n{event.text}" if self.attached else event.text

    def on_input_emptied(self, message: Input.Emptied) -> None:
        message.stop()
        self.attached = ""

    def on_input_sent(self, message: Input.Sent) -> None:
        message.stop()
        typed = self.input.text.strip()
        text = "\n\n".join(part for part in (self.attached, typed) if part)
        if not text.strip():
            return
        self.attached = ""
        self.input.text = ""
        self.post_message(self.Submitted(text))
