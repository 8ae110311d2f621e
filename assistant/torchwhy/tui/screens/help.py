"""The help page."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.widgets import Footer

from torchwhy.text.phrases import phrase
from torchwhy.tui.widgets.prose import Prose

from .base import HintedScreen


class HelpScreen(HintedScreen[None]):
    """What can be typed and which keys there are."""

    BINDINGS = [Binding("escape,f1,q", "dismiss", "ui_key_close")]

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="page"):
            yield Prose()
        yield Footer()

    def on_mount(self) -> None:
        self.watch(self.app, "lang", self._show)
        self.query_one("#page").focus()

    async def _show(self, lang: str) -> None:
        await self.query_one(Prose).update(phrase("ui_help", lang))
