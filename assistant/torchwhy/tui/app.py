"""The app: opens the knowledge base behind the prompt, holds the language and the keys of every screen."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.events import Event, Paste
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from torchwhy.chat.session import ChatSession
from torchwhy.errors import AssistantError
from torchwhy.text.cjk import patch_rich_wrapping
from torchwhy.text.language import choose
from torchwhy.text.phrases import phrase

from .screens.chat import ChatScreen
from .state import ChatBackend, ChatOptions, OpenBackend
from .widgets.literal import cleaned

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.widgets import Markdown

FIRST_FRAME_S = (
    0.1  # until the first frame is drawn; loading the model then holds the interpreter for most of a second
)
ENDING_S = 10.0  # after a signal that ends the app, for everything that it does in order
MAX_NOTIFICATION_CHARS = 600
ERROR_NOTIFICATION_S = 12


class ChatApp(App[None]):
    """torchwhy chat."""

    TITLE = "torchwhy"
    CSS_PATH = Path(__file__).with_name("chat.tcss")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide"), (120, "-beside")]
    BINDINGS = [
        Binding("f9", "language", "ui_key_language"),
        Binding("ctrl+q", "quit", "ui_key_quit", show=False, priority=True),
    ]

    lang: reactive[str] = reactive("en")
    status: reactive[str] = reactive("")

    class Opened(Message):
        """The knowledge base is open."""

    @dataclass
    class StatusChanged(Message):
        """A worker has something for the status line."""

        text: str

    def __init__(self, open_backend: OpenBackend, options: ChatOptions | None = None) -> None:
        """`open_backend` is called in a worker, once the prompt is drawn."""
        patch_rich_wrapping()
        super().__init__()
        self.options = options or ChatOptions()
        self.backend: ChatBackend | None = None
        self.model_ready = threading.Event()
        self._open_backend = open_backend
        self.set_reactive(ChatApp.lang, choose(self.options.lang, ""))

    def get_driver_class(self) -> type[Driver]:
        from .paste_driver import patch_xterm_parser

        return patch_xterm_parser(super().get_driver_class())

    def get_default_screen(self) -> Screen[None]:
        session = ChatSession(
            machine=self.options.machine, source=self.options.source, model_ready=self.model_ready
        )
        return ChatScreen(session)

    async def on_event(self, event: Event) -> None:
        if isinstance(event, Paste) and not self.app_focus:
            # As a key does: a browser's tab begins without focus, and its first paste would go nowhere.
            self.app_focus = True
        await super().on_event(event)

    def on_mount(self) -> None:
        self.status = phrase("ui_opening", self.lang)
        self._end_well()
        self.set_timer(FIRST_FRAME_S, self.open_knowledge)

    def _end_well(self) -> None:
        """A signal ends the app in order: the terminal is given back, a running proof is ended."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                # Windows knows none of them; elsewhere only the main thread may.
                with suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self._end_by_signal, 128 + number)

    def _end_by_signal(self, status: int) -> None:
        self.exit(None, status)
        # Where the terminal is gone, textual can wait for it for ever.
        for_sure = threading.Timer(ENDING_S, os._exit, (status,))
        for_sure.daemon = True
        for_sure.start()

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def open_knowledge(self) -> None:
        """Open the knowledge base, then the model: questions are taken from the first on."""
        try:
            self.backend = self._open_backend(self._progress)
        except AssistantError:
            self._say_status("ui_broken")
            raise
        self.post_message(self.Opened())
        self._say_status("ui_model")
        with_model = self.backend.load_vectors()
        self.model_ready.set()
        self._say_status("ui_ready" if with_model else "ui_plain", count=str(self.backend.store.count))

    def _say_status(self, key: str, **values: str) -> None:
        """From any thread."""
        self.post_message(self.StatusChanged(phrase(key, self.lang, **values)))

    def _progress(self, what: str, done: int, total: int) -> None:
        self._say_status("ui_building", what=what, done=str(done), total=str(total))

    def on_chat_app_status_changed(self, message: StatusChanged) -> None:
        self.status = message.text

    def on_chat_app_opened(self) -> None:
        screen = self.screen_stack[0]
        assert isinstance(screen, ChatScreen)
        screen.opened()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """An error in a worker is a notification; the chat goes on."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.say_error(event.worker.error)

    def say_error(self, error: BaseException) -> None:
        text = str(error) if isinstance(error, AssistantError) else f"{type(error).__name__}: {error}"
        self.notify(
            cleaned(text, MAX_NOTIFICATION_CHARS),
            severity="error",
            timeout=ERROR_NOTIFICATION_S,
            markup=False,
        )

    def tell(self, key: str, **values: str) -> None:
        """A notification in the language of the app."""
        self.notify(cleaned(phrase(key, self.lang, **values), MAX_NOTIFICATION_CHARS), markup=False)

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        if event.href.startswith(("https://", "http://")):
            self.open_url(event.href)

    def copy(self, text: str, what: str) -> None:
        """To the clipboard of the terminal (OSC 52), also over ssh."""
        if not text:
            self.tell("ui_nothing_to_copy")
            return
        self.copy_to_clipboard(text)
        self.tell("ui_copied", what=what)

    def action_help_quit(self) -> None:
        """Ctrl+C with nothing selected: as in a shell, what is typed is dropped."""
        from textual.widgets import TextArea

        typed = self.focused
        if isinstance(typed, TextArea) and typed.text:
            typed.clear()
        else:
            self.tell("ui_leave")

    def action_language(self) -> None:
        self.lang = "en" if self.lang == "zh" else "zh"

    def watch_lang(self) -> None:
        for screen in self.screen_stack:
            screen.refresh_bindings()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The keys of the screen as commands, then Textual's own."""
        seen = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            own = active.node in (screen, self) and "." not in binding.action
            if binding.description and own and binding.action not in seen:
                seen.add(binding.action)
                node = screen if active.node is screen else self
                yield SystemCommand(binding.description, binding.key, _runner(node, binding.action))
        yield from (command for command in super().get_system_commands(screen) if command.title != "Quit")


def _runner(node: Screen[object] | App[None], action: str) -> Callable[[], Awaitable[None]]:
    async def run() -> None:
        await node.run_action(action)

    return run
