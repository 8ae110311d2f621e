"""The knowledge base by category, with search as you type, an entry's page and its script."""

from __future__ import annotations

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Footer, Input, Markdown, OptionList
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from assistant import lexical
from assistant.render import entry_markdown, fence
from assistant.words import word

from .hints import HintedScreen
from .literal import literal

Row = tuple[str, str, str, str]  # id, category, title in English, title in Chinese


class BrowseScreen(HintedScreen[str]):
    """Returns the id that was taken into the chat, or None."""

    BINDINGS = [
        Binding("escape,f2", "dismiss", "ui_key_close"),
        Binding("enter", "take", "ui_key_take", priority=True),
        Binding("f7", "source", "ui_key_source"),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("pageup", "scroll(-1)", show=False, priority=True),
        Binding("pagedown", "scroll(1)", show=False, priority=True),
    ]

    entry: reactive[str | None] = reactive(None)
    source: reactive[bool] = reactive(False)

    class Found(Message):
        """A search has ended: rows in order of relevance, or all by category."""

        def __init__(self, rows: list[Row], ranked: bool) -> None:
            super().__init__()
            self.rows, self.ranked = rows, ranked

    def compose(self) -> ComposeResult:
        with Horizontal(id="browse"):
            with Vertical(id="browse-left"):
                yield Input(placeholder=word("ui_search_entries", self.lang), id="browse-search")
                yield OptionList(id="browse-list", markup=False)
            with VerticalScroll(id="page", can_focus=False):
                yield Markdown("", open_links=False)
        yield Footer()

    def on_mount(self) -> None:
        self.watch(self.app, "lang", self._relabel)
        self.query_one(Input).focus()

    def _relabel(self, lang: str) -> None:
        self.query_one(Input).placeholder = word("ui_search_entries", lang)
        self.search(self.query_one(Input).value)
        self._show()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.search(event.value)

    @work(thread=True, exclusive=True, group="search", exit_on_error=False)
    def search(self, text: str) -> None:
        """Names and titles that contain the text, then what the lexical index finds."""
        assistant = self.chat.assistant
        assert assistant is not None
        store = assistant.store
        rows: list[Row] = store.db.execute("SELECT id, category, title_en, title_zh FROM entry ORDER BY category, id").fetchall()
        wanted = text.strip().lower()
        if wanted:
            by_id = {row[0]: row for row in rows}
            order = [row[0] for row in rows if wanted in " ".join(row).lower()]
            whole, _ = lexical.search(store, wanted)
            order += sorted(whole, key=lambda id: -whole[id])
            rows = [by_id[id] for id in dict.fromkeys(order) if id in by_id][:60]
        if not get_current_worker().is_cancelled:
            self.post_message(self.Found(rows, bool(wanted)))

    def on_browse_screen_found(self, message: Found) -> None:
        options: list[Option] = []
        category = None
        for id, its, en, zh in message.rows:
            if its != category and not message.ranked:
                category = its
                options.append(Option(literal(its.upper(), "bold"), disabled=True))
            options.append(Option(literal(f"  {id}\n").append(literal(f"  {zh if self.lang == 'zh' else en}", "dim")), id=id))
        if not options:
            options = [Option(literal(word("ui_none_found", self.lang)), disabled=True)]
        listed = self.query_one(OptionList)
        listed.set_options(options)
        listed.highlighted = next((at for at, option in enumerate(options) if not option.disabled), None)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.source = False
        self.entry = event.option_id

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.entry = event.option_id
        self.action_take()

    def watch_entry(self) -> None:
        self._show()

    def watch_source(self) -> None:
        self._show()

    def _show(self) -> None:
        if not self.is_mounted:
            return
        self.query_one("#page", VerticalScroll).scroll_home(animate=False)
        self.page(self.entry)

    @work(exclusive=True, group="page", exit_on_error=False)
    async def page(self, id: str | None) -> None:
        """Draw an entry's page, or its script."""
        assistant = self.chat.assistant
        if id is None or assistant is None:
            text = word("ui_pick_entry", self.lang)
        else:
            entry = assistant.pitfall(id)
            text = entry_markdown(entry, self.lang)
            if self.source and entry.repro is not None:
                with open(entry.repro, encoding="utf-8") as file:
                    text = f"# {entry.id}/repro.py\n\n{fence(file.read(), 'python')}\n"
        await self.query_one(Markdown).update(text)

    def action_move(self, by: int) -> None:
        listed = self.query_one(OptionList)
        listed.action_cursor_down() if by > 0 else listed.action_cursor_up()

    def action_scroll(self, pages: int) -> None:
        page = self.query_one("#page", VerticalScroll)
        page.scroll_relative(y=pages * max(1, page.size.height - 2), animate=False)

    def action_source(self) -> None:
        self.source = not self.source

    def action_take(self) -> None:
        if self.entry is not None:
            self.dismiss(self.entry)
