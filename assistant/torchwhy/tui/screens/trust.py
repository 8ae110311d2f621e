"""The question before a script runs that did not come with torchwhy."""

from __future__ import annotations

from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from torchwhy.knowledge.files import read_bytes
from torchwhy.knowledge.script_hashes import content_hash
from torchwhy.text.plain import escaped, written_out
from torchwhy.tui.phrases import phrase
from torchwhy.tui.widgets.literal import literal

from .base import HintedScreen

MAX_SCRIPT_CHARS = 200_000


class TrustScreen(HintedScreen[bool]):
    """Shows the script that would run; returns whether it may. No key that is pressed in passing says yes."""

    BINDINGS = [
        Binding("ctrl+y", "answer(True)", "ui_key_trust", priority=True),
        Binding("escape", "answer(False)", "ui_key_no_trust"),
    ]

    def __init__(self, script: str) -> None:
        super().__init__()
        self.script = script
        self.sha256 = ""  # of what is shown; the yes is for that
        try:
            content = read_bytes(Path(script))
            self.sha256 = content_hash(content)
            self.text = content.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        except OSError as error:
            self.text = str(error)

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Static(id="trust-question", markup=False)
            yield Static(id="trust-script", markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.watch(self.app, "lang", self._show)
        self.query_one("#page").focus()

    def _show(self, lang: str) -> None:
        question = phrase("ui_trust", lang, script=escaped(self.script))
        self.query_one("#trust-question", Static).update(literal(question + "\n", "bold"))
        self.query_one("#trust-script", Static).update(literal(whole(self.text, lang)))

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


def whole(text: str, lang: str) -> str:
    """All of a script, for whoever decides on it: what acts or hides is written out, no line is cut."""
    shown = written_out(text[:MAX_SCRIPT_CHARS])
    left = text.count("\n", MAX_SCRIPT_CHARS) + 1
    return f"{shown}\n{phrase('ui_cut', lang, lines=str(left))}" if len(text) > MAX_SCRIPT_CHARS else shown
