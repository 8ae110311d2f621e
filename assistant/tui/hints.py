"""Screens whose key hints follow the language: a binding's description is the name of a word."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from textual.binding import ActiveBinding
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from assistant.words import WORDS, word

if TYPE_CHECKING:
    from .app import ChatApp

Result = TypeVar("Result")
OWN = {"palette": "ui_key_palette"}  # textual's own bindings that are shown


class HintedScreen(Screen[Result]):
    """A screen of the chat."""

    @property
    def chat(self) -> ChatApp:
        """The app, with its own type."""
        from .app import ChatApp

        app = self.app
        assert isinstance(app, ChatApp)
        return app

    @property
    def lang(self) -> str:
        return self.chat.lang

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The bindings in force, described in the language of the app."""
        found = super().active_bindings
        ordered = sorted(found.items(), key=lambda item: int(item[0][1:]) if item[0][1:].isdigit() else 0 if item[0] == "enter" else 99)
        return {key: active._replace(binding=replace(active.binding, description=self._said(active.binding.description))) for key, active in ordered}

    def _said(self, description: str) -> str:
        name = OWN.get(description, description)
        return word(name, self.lang) if name in WORDS else description

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """An error in a worker is a notification; the chat goes on."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.chat.say_error(event.worker.error)
