"""A list with search as you type, and beside it the page of what is highlighted."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Footer, Input, OptionList
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from torchwhy.text.phrases import phrase
from torchwhy.tui.widgets.literal import literal
from torchwhy.tui.widgets.prose import Prose

from .base import HintedScreen, Result


class Picker(HintedScreen[Result]):
    """Returns what was taken, or None.

    A subclass says what there is (`find`, in a thread) and shows it (`page_of`, too).
    """

    BINDINGS = [
        Binding("escape", "dismiss", "ui_key_close"),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("pageup", "scroll(-1)", show=False, priority=True),
        Binding("pagedown", "scroll(1)", show=False, priority=True),
    ]
    SEARCH: ClassVar[str]  # the names of two words: what the field says, and an empty list
    EMPTY: ClassVar[str]

    picked: reactive[str | None] = reactive(None)

    @dataclass
    class Found(Message):
        """A search has ended."""

        options: list[Option]

    def find(self, text: str) -> list[Option]:
        """The options for a search; all for an empty one."""
        raise NotImplementedError

    def page_of(self, id: str | None) -> str:
        """The page of an option as Markdown."""
        raise NotImplementedError

    def action_take(self) -> None:
        """Return what is highlighted."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        with Horizontal(id="browse"):
            with Vertical(id="browse-left"):
                yield Input(id="browse-search")
                yield OptionList(id="browse-list", markup=False)
            with VerticalScroll(id="page", can_focus=False):
                yield Prose()
        yield Footer()

    def on_mount(self) -> None:
        self.watch(self.app, "lang", self._relabel)
        self.query_one(Input).focus()

    def _relabel(self, lang: str) -> None:
        self.query_one(Input).placeholder = phrase(self.SEARCH, lang)
        self.search()
        self.show()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.search()

    @work(thread=True, exclusive=True, group="search", exit_on_error=False)
    def search(self) -> None:
        options = self.find(self.query_one(Input).value)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Found(options))

    def on_picker_found(self, message: Found) -> None:
        listed = self.query_one(OptionList)
        listed.set_options(message.options or [Option(literal(phrase(self.EMPTY, self.lang)), disabled=True)])
        listed.highlighted = next(
            (at for at, option in enumerate(message.options) if not option.disabled), None
        )
        if listed.highlighted is None:
            self.picked = None

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.picked = event.option_id

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.picked = event.option_id
        self.action_take()

    def watch_picked(self) -> None:
        if self.is_mounted:
            self.query_one("#page", VerticalScroll).scroll_home(animate=False)
            self.show()

    @work(exclusive=True, group="page", exit_on_error=False)
    async def show(self) -> None:
        """Draw the page of what is highlighted."""
        text = await asyncio.to_thread(self.page_of, self.picked)
        await self.query_one(Prose).update(text)

    def action_move(self, by: int) -> None:
        listed = self.query_one(OptionList)
        listed.action_cursor_down() if by > 0 else listed.action_cursor_up()

    def action_scroll(self, pages: int) -> None:
        page = self.query_one("#page", VerticalScroll)
        page.scroll_relative(y=pages * max(1, page.size.height - 2), animate=False)
