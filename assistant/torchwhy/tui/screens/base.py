"""Screens whose key hints follow the language: a binding's description is the name of a phrase."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, cast

from textual.binding import ActiveBinding
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from torchwhy.text.phrases import is_phrase, phrase
from torchwhy.tui.state import ChatState

Result = TypeVar("Result")
TEXTUAL_HINTS = {"palette": "ui_key_palette"}  # textual's own bindings that are shown
LAST = 99  # the place of keys that are no function keys; Enter comes first


class HintedScreen(Screen[Result]):
    """A screen of the chat."""

    @property
    def chat(self) -> ChatState:
        """What the app is to its screens."""
        return cast(ChatState, self.app)

    @property
    def lang(self) -> str:
        return self.chat.lang

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The bindings in force, described in the language of the app."""
        described = {}
        for key, active in sorted(super().active_bindings.items(), key=lambda item: _place(item[0])):
            hint = self._hint(active.binding.description)
            described[key] = active._replace(binding=replace(active.binding, description=hint))
        return described

    def _hint(self, description: str) -> str:
        key = TEXTUAL_HINTS.get(description, description)
        return phrase(key, self.lang) if is_phrase(key) else description

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """An error in a worker is a notification; the chat goes on."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.chat.say_error(event.worker.error)


def _place(key: str) -> int:
    """Function keys by their number, behind Enter."""
    if key == "enter":
        return 0
    return int(key[1:]) if key[1:].isdigit() else LAST
