"""Where the user writes. A paste of any size is one message; a large one stands folded above the input."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static, TextArea

from torchwhy.text.phrases import phrase

from .literal import literal, size, visible

MIN_FOLDED_CHARS, MIN_FOLDED_LINES = 4000, 15  # a paste from this size on is folded


def unix_lines(text: str) -> str:
    """Terminals send pasted line ends as returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def is_large(text: str) -> bool:
    return len(text) >= MIN_FOLDED_CHARS or text.count("\n") >= MIN_FOLDED_LINES


class Input(TextArea):
    """The text area: Enter sends, Ctrl+J and Shift+Enter make a line."""

    BINDINGS = [
        Binding("enter", "send", "Send", show=False, priority=True),
        Binding("ctrl+j,shift+enter,alt+enter", "new_line", "New line", show=False, priority=True),
        Binding("ctrl+d", "leave", "Leave", show=False, priority=True),
    ]

    class Sent(Message):
        """Enter was pressed."""

    class Emptied(Message):
        """Backspace was pressed in an empty input."""

    class Left(Message):
        """Ctrl+D was pressed in an empty input, as one leaves a shell."""

    class Recalled(Message):
        """Up was pressed in an empty input: the last message is wanted again."""

    def action_leave(self) -> None:
        if self.text:
            self.action_delete_right()
        else:
            self.post_message(self.Left())

    def action_send(self) -> None:
        self.post_message(self.Sent())

    def action_new_line(self) -> None:
        self.insert("\n")

    async def _on_paste(self, event: events.Paste) -> None:
        # Handled here instead of by TextArea: a log of megabytes does not belong into an editor. It goes up
        # to
        # the composer as it is: a message of its own would stand behind an Enter right after the paste.
        event.prevent_default()
        event.text = unix_lines(event.text)
        if not is_large(event.text):
            event.stop()
            self.insert(visible(event.text))

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace" and not self.text:
            self.post_message(self.Emptied())
        elif event.key == "up" and not self.text:
            self.post_message(self.Recalled())
        elif event.key in ("pageup", "pagedown"):
            event.prevent_default()


class Composer(Vertical):
    """The input and the folded paste above it. `attached` is the folded text."""

    attached: reactive[str] = reactive("", always_update=True)
    lang: reactive[str] = reactive("en")

    @dataclass
    class Submitted(Message):
        """A message to answer."""

        text: str

    def compose(self) -> ComposeResult:
        yield Static("", id="attached", markup=False)
        yield Input(
            "",
            id="input",
            soft_wrap=True,
            show_line_numbers=False,
            highlight_cursor_line=False,
            tab_behavior="focus",
        )

    last = ""
    """What was typed last; a folded paste is not kept."""

    @property
    def input(self) -> Input:
        return self.query_one(Input)

    def watch_attached(self, text: str) -> None:
        shown = self.query_one("#attached", Static)
        shown.display = bool(text)
        if text:
            shown.update(
                literal(
                    "▸ " + phrase("ui_attached", self.lang, lines=str(text.count("\n") + 1), size=size(text))
                )
            )

    def watch_lang(self, lang: str) -> None:
        self.input.placeholder = phrase("ui_placeholder", lang)
        self.attached = self.attached

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self.attached = f"{self.attached}\n{event.text}" if self.attached else event.text

    def on_input_emptied(self, message: Input.Emptied) -> None:
        message.stop()
        self.attached = ""

    def on_input_recalled(self, message: Input.Recalled) -> None:
        message.stop()
        self.input.text = self.last
        self.input.move_cursor(self.input.document.end)

    def on_input_sent(self, message: Input.Sent) -> None:
        message.stop()
        typed = self.input.text.strip()
        text = "\n\n".join(part for part in (self.attached, typed) if part)
        if not text.strip():
            return
        self.last = typed or self.last
        self.attached = ""
        self.input.text = ""
        self.post_message(self.Submitted(text))
