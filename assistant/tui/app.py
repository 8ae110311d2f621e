"""The app: opens the Assistant behind the prompt, holds the language, and the keys that work everywhere."""

from __future__ import annotations

import asyncio
import io
import signal
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from textual import work
from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.events import Event, Paste
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from assistant.errors import AssistantError
from assistant.language import choose
from assistant.words import word
from assistant.wrapping import install

from .chat import ChatScreen
from .literal import cleaned

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.widgets import Markdown

    from assistant.api import Assistant

SETTLE = 0.1  # seconds until the first frame has been written; loading the model then holds the interpreter for most of one
PATIENCE = 5.0  # seconds that a question waits for the model; then it is answered without


@dataclass(frozen=True)
class Options:
    """What the command line asked for. `piped`: standard input as it came through a pipe; `machine`: look at its facts."""

    kb: str | None = None
    model: str | None = None
    lang: str = "auto"
    vectors: bool = True
    piped: BinaryIO | None = None
    machine: bool = False


class ChatApp(App[None]):
    """torchwhy chat."""

    TITLE = "torchwhy"
    CSS_PATH = Path(__file__).with_name("chat.tcss")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    BINDINGS = [
        Binding("f9", "language", "ui_key_language"),
        Binding("f10", "theme", "ui_key_theme", show=False),
        Binding("ctrl+q", "quit", "ui_key_quit", show=False, priority=True),
    ]

    lang: reactive[str] = reactive("en")
    status: reactive[str] = reactive("")

    class Opened(Message):
        """The knowledge base is open."""

    class Told(Message):
        """A worker has something for the status line."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, options: Options | None = None, assistant: Assistant | None = None) -> None:
        """`assistant`: one that is open already (None: opened in a worker as `options` say)."""
        install()
        super().__init__()
        self.options = options or Options()
        self.assistant = assistant
        self.model_ready = threading.Event()
        self.set_reactive(ChatApp.lang, choose(self.options.lang, ""))

    def get_driver_class(self) -> type[Driver]:
        from .pastes import take_whole

        return take_whole(super().get_driver_class())

    def get_default_screen(self) -> Screen[None]:
        return ChatScreen()

    async def on_event(self, event: Event) -> None:
        if isinstance(event, Paste) and not self.app_focus:
            self.app_focus = True  # as a key does: a browser's tab begins without focus, and its first paste would go nowhere
        await super().on_event(event)

    def on_mount(self) -> None:
        self.status = word("ui_opening", self.lang)
        self._end_well()
        self.set_timer(SETTLE, self.open_assistant)

    def _end_well(self) -> None:
        """A signal ends the app in order: the terminal is given back, a running proof is ended."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
                    loop.add_signal_handler(number, self.exit, None, 128 + number)

    @work(thread=True, exclusive=True, group="open", exit_on_error=False)
    def open_assistant(self) -> None:
        """Open the knowledge base, then the model: questions are taken from the first on."""
        from assistant.api import Assistant

        options = self.options
        try:
            if self.assistant is None:
                self.assistant = Assistant(options.kb, model=options.model, lang=options.lang, vectors=options.vectors, progress=self._progress)
        except AssistantError:
            self.post_message(self.Told(word("ui_broken", self.lang)))
            raise
        self.post_message(self.Opened())
        self.post_message(self.Told(word("ui_model", self.lang)))
        opened = self.assistant.matcher.open_vectors()
        self.model_ready.set()
        self.post_message(self.Told(word("ui_ready" if opened is not None else "ui_plain", self.lang, count=str(self.assistant.store.count))))

    def _progress(self, what: str, done: int, total: int) -> None:
        self.post_message(self.Told(word("ui_building", self.lang, what=what, done=str(done), total=str(total))))

    def on_chat_app_told(self, message: Told) -> None:
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
        self.notify(cleaned(text, 600), severity="error", timeout=12, markup=False)

    def tell(self, key: str, **values: str) -> None:
        """A notification in the language of the app."""
        self.notify(cleaned(word(key, self.lang, **values), 600), markup=False)

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

    def deliver(self, text: str) -> None:
        """An exported chat: a download in a browser, else a file in the current folder; what is there is left alone."""
        from .export import NAME, written

        if self.is_web:
            self.deliver_text(io.StringIO(text), save_filename=NAME)
            return
        try:
            self.tell("ui_exported", path=str(written(text)))
        except OSError as error:
            self.say_error(error)

    def action_language(self) -> None:
        self.lang = "en" if self.lang == "zh" else "zh"

    def watch_lang(self) -> None:
        for screen in self.screen_stack:
            screen.refresh_bindings()

    def action_theme(self) -> None:
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The keys of the screen as commands, then Textual's own."""
        seen = set()
        for active in screen.active_bindings.values():
            binding = active.binding
            if binding.description and binding.action not in seen and active.node in (screen, self) and "." not in binding.action:
                seen.add(binding.action)
                yield SystemCommand(binding.description, binding.key, _runner(active.node, binding.action))
        yield from (command for command in super().get_system_commands(screen) if command.title not in ("Quit",))


def _runner(node: object, action: str):  # type: ignore[no-untyped-def]
    async def run() -> None:
        await node.run_action(action)  # type: ignore[attr-defined]

    return run
