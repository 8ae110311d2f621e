"""A proof in the thread: both legs with live output, then the verdict with both messages.

It can be cancelled.
"""

from __future__ import annotations

import time
from collections import deque
from threading import Event

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import Static

from torchwhy.text.phrases import phrase

from .literal import cleaned, literal
from .prose import Prose

MAX_LIVE_LINES = 10
MAX_LIVE_LINE_CHARS = 400
REFRESH_S = 0.1


class ProofView(Vertical):
    """One run of a script.

    Worker threads write into `lines` and `leg`; a timer shows them ten times a second.
    """

    status: reactive[str] = reactive("")
    output: reactive[str] = reactive("")
    verdict: reactive[str] = reactive("")

    def __init__(self, id: str, lang: str) -> None:
        super().__init__(classes="proof")
        self.entry, self.lang = id, lang
        self.lines: deque[str] = deque(maxlen=MAX_LIVE_LINES)
        self.leg = ""
        self.stop = Event()
        self.started = time.monotonic()

    def compose(self) -> ComposeResult:
        yield Static("", classes="proof-status", markup=False)
        yield Static("", classes="proof-output", markup=False)
        yield Prose()

    def on_mount(self) -> None:
        self._timer = self.set_interval(REFRESH_S, self._show)
        self._show()

    def hear(self, kind: str, text: str) -> None:
        """What `confirm` tells, from whichever thread: a new leg, or a line of output."""
        if kind == "leg":
            self.leg, self.started = text, time.monotonic()
        elif kind == "line":
            self.lines.append(cleaned(text, MAX_LIVE_LINE_CHARS))

    def _show(self) -> None:
        if self.verdict:
            return
        seconds = str(int(time.monotonic() - self.started))
        if self.leg:
            self.status = phrase(
                "ui_proof_leg", self.lang, id=self.entry, leg=phrase(self.leg, self.lang), seconds=seconds
            )
        else:
            self.status = phrase("ui_proof_asking", self.lang, id=self.entry)
        self.output = "\n".join(list(self.lines))

    def finish(self, verdict: str, status: str = "") -> None:
        """Show the verdict (Markdown) in place of the live output."""
        self._timer.stop()
        self.status = status
        self.output = ""
        self.verdict = verdict or " "

    def watch_status(self, status: str) -> None:
        shown = self.query_one(".proof-status", Static)
        shown.display = bool(status)
        shown.update(literal(status))

    def watch_output(self, output: str) -> None:
        shown = self.query_one(".proof-output", Static)
        shown.display = bool(output)
        shown.update(literal(output))

    def watch_verdict(self, verdict: str) -> None:
        shown = self.query_one(Prose)
        shown.display = bool(verdict.strip())
        if verdict.strip():
            shown.update(verdict)
