"""The app in one tab of a browser: the process at the other end of `serving`. Packets come and go by its standard streams."""

from __future__ import annotations

import json
from collections.abc import Sequence

from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp

from .app import ChatApp, Options
from .pastes import take_whole


class TabDriver(WebDriver):
    """textual's driver for browsers; it also ends the app when the server has gone without a word."""

    def run_input_thread(self) -> None:
        super().run_input_thread()
        if not self.exit_event.is_set():  # standard input has ended
            self._app.post_message(ExitApp())


def main(words: Sequence[str]) -> None:
    """Run the app. `words`: serving.Tab as JSON, width and height in cells."""
    options = json.loads(words[0])
    if options["piped"] is not None:
        options["piped"] = open(options["piped"], "rb")  # noqa: SIM115 (the chat closes it when it has read it)
    app = ChatApp(Options(**options))
    app.driver_class = take_whole(TabDriver)
    app.run(size=(int(words[1]), int(words[2])))
