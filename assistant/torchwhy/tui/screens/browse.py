"""The knowledge base by category, with search as you type, an entry's page and its script."""

from __future__ import annotations

from itertools import groupby

from textual.binding import Binding
from textual.reactive import reactive
from textual.widgets.option_list import Option

from torchwhy.answers.markdown import entry_markdown
from torchwhy.knowledge.files import read_script
from torchwhy.text.markup import fence
from torchwhy.text.phrases import phrase
from torchwhy.tui.widgets.literal import literal

from .picker import Picker

MAX_FOUND = 60  # entries that a search lists
Row = tuple[str, str, str, str]  # id, category, title in English, title in Chinese


class BrowseScreen(Picker[str]):
    """Returns the id that was taken into the chat, or None."""

    BINDINGS = [
        Binding("f2", "dismiss", show=False),
        Binding("enter", "take", "ui_key_take", priority=True),
        Binding("f7", "source", "ui_key_source"),
    ]
    SEARCH, EMPTY = "ui_search_entries", "ui_none_found"

    source: reactive[bool] = reactive(False, init=False)

    def find(self, text: str) -> list[Option]:
        """All by category, or ids and titles that contain the text, then what the lexical index finds."""
        backend = self.chat.backend
        assert backend is not None
        store = backend.store
        rows: list[Row] = store.titles()
        query = text.strip().lower()
        if not query:
            options = []
            for category, its in groupby(rows, key=lambda row: row[1]):
                options += [Option(literal(category.upper(), "bold"), disabled=True), *map(self._option, its)]
            return options
        whole, _ = store.words.search(query)
        holding = [row for row in rows if query in " ".join(row).lower()]
        # an id that begins so is what was meant; then ids that hold it, then titles
        holding.sort(key=lambda row: (not row[0].startswith(query), query not in row[0]))
        order = [row[0] for row in holding] + sorted(whole, key=lambda id: -whole[id])
        by_id = {row[0]: row for row in rows}
        return [self._option(by_id[id]) for id in dict.fromkeys(order) if id in by_id][:MAX_FOUND]

    def _option(self, row: Row) -> Option:
        id, _, en, zh = row
        return Option(
            literal(f"  {id}\n").append(literal(f"  {zh if self.lang == 'zh' else en}", "dim")), id=id
        )

    def page_of(self, id: str | None) -> str:
        """An entry's page, or its script."""
        backend = self.chat.backend
        if id is None or backend is None:
            return phrase("ui_pick_entry", self.lang)
        entry = backend.pitfall(id)
        if self.source and entry.repro is not None:
            return f"# {entry.id}/repro.py\n\n{fence(read_script(entry.repro), 'python')}\n"
        return entry_markdown(entry, self.lang)

    def watch_picked(self) -> None:
        self.set_reactive(BrowseScreen.source, False)
        super().watch_picked()

    def watch_source(self) -> None:
        super().watch_picked()

    def action_source(self) -> None:
        self.source = not self.source

    def action_take(self) -> None:
        if self.picked is not None:
            self.dismiss(self.picked)
