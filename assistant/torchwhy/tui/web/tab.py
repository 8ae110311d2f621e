"""What the app in one tab of a browser does otherwise than on a terminal."""

from collections.abc import Iterable

from textual.drivers.web_driver import WebDriver
from textual.events import AppFocus
from textual.message import Message
from textual.messages import ExitApp

from torchwhy.tui.paste_driver import END, START, PasteParser


class WholePasteParser(PasteParser):
    """A page sends a paste at once, between marks. What was copied may hold some: keys would follow them."""

    def feed(self, data: str) -> Iterable[Message]:
        text, end, keys = data.removeprefix(START).rpartition(END)
        is_paste = data.startswith(START) and end
        return super().feed(START + text.replace(END, " ") + END + keys if is_paste else data)


class TabDriver(WebDriver):
    """It also ends the app when the server has gone without a word."""

    def start_application_mode(self) -> None:
        """A tab begins with the keyboard, since its page takes it: without, the app draws no key bar, and a
        first paste would go nowhere.
        """
        super().start_application_mode()
        self._app.call_later(self._app.post_message, AppFocus())

    def run_input_thread(self) -> None:
        super().run_input_thread()
        if not self.exit_event.is_set():  # standard input has ended
            self._app.post_message(ExitApp())
