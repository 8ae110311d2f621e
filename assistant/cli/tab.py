"""The app in one tab of a browser: a process that `tui.web.server` talks to over its standard streams."""

from __future__ import annotations

import json
from collections.abc import Sequence

from textual.drivers.web_driver import WebDriver
from textual.events import Resize
from textual.message import Message
from textual.messages import ExitApp

from assistant.tui.app import ChatApp
from assistant.tui.paste_driver import patch_xterm_parser
from assistant.tui.state import ChatBackend, Options, Progress
from assistant.tui.web.tab import Tab


class TabDriver(WebDriver):
    """textual's driver for browsers; it also ends the app when the server has gone without a word."""

    def process_message(self, message: Message) -> None:
        """A page tells its size by a word of its own, which is bounded; keys tell none."""
        if not isinstance(message, Resize):
            super().process_message(message)

    def run_input_thread(self) -> None:
        super().run_input_thread()
        if not self.exit_event.is_set():  # standard input has ended
            self._app.post_message(ExitApp())


def main(words: Sequence[str]) -> None:
    """Run the app. `words`: a `web.server.Tab` as JSON, then width and height in cells."""
    tab = Tab(**json.loads(words[0]))

    def open_backend(progress: Progress) -> ChatBackend:
        from assistant.api import Assistant

        return Assistant(tab.kb, model=tab.model, lang=tab.lang, vectors=tab.vectors, progress=progress)

    piped = open(tab.piped, "rb") if tab.piped is not None else None  # noqa: SIM115 (the chat closes it)
    app = ChatApp(open_backend, Options(tab.lang, piped, tab.machine))
    app.driver_class = patch_xterm_parser(TabDriver)
    app.run(size=(int(words[1]), int(words[2])))
