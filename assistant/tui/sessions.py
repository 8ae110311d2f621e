"""Earlier chats: search them, resume, export or delete one."""

from __future__ import annotations

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Footer, Input, Markdown, OptionList
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from assistant.history import History, Session
from assistant.words import word

from .hints import HintedScreen
from .literal import literal


class SessionsScreen(HintedScreen[int]):
    """Returns the session to resume, or None."""

    BINDINGS = [
        Binding("escape,f4", "dismiss", "ui_key_close"),
        Binding("enter", "resume", "ui_key_resume", priority=True),
        Binding("ctrl+d,delete", "delete", "ui_key_delete", priority=True),
        Binding("ctrl+s", "export", "ui_key_export_session", priority=True),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
    ]

    class Found(Message):
        """A search has ended."""

        def __init__(self, sessions: list[Session]) -> None:
            super().__init__()
            self.sessions = sessions

    class Read(Message):
        """A session's text is there."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def compose(self) -> ComposeResult:
        with Horizontal(id="browse"):
            with Vertical(id="browse-left"):
                yield Input(placeholder=word("ui_search_sessions", self.lang), id="browse-search")
                yield OptionList(id="browse-list", markup=False)
            with VerticalScroll(id="page", can_focus=False):
                yield Markdown("", open_links=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self.search("")

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.search(event.value)

    @work(thread=True, exclusive=True, group="search", exit_on_error=False)
    def search(self, text: str) -> None:
        found = History().sessions(text)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Found(found))

    def on_sessions_screen_found(self, message: Found) -> None:
        rows = [Option(literal(f"{session.title}\n").append(literal(_about(session), "dim")), id=str(session.id)) for session in message.sessions]
        listed = self.query_one(OptionList)
        listed.set_options(rows or [Option(literal(word("ui_no_sessions", self.lang)), disabled=True)])
        listed.highlighted = 0 if rows else None
        if not rows:
            self.query_one(Markdown).update("")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_id:
            self.show(int(event.option_id))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_resume()

    @work(thread=True, exclusive=True, group="show", exit_on_error=False)
    def show(self, session: int) -> None:
        text = History().export(session)
        if not get_current_worker().is_cancelled:
            self.post_message(self.Read(text))

    async def on_sessions_screen_read(self, message: Read) -> None:
        await self.query_one(Markdown).update(message.text[:20000])

    @property
    def chosen(self) -> int | None:
        listed = self.query_one(OptionList)
        option = listed.get_option_at_index(listed.highlighted) if listed.highlighted is not None else None
        return int(option.id) if option is not None and option.id else None

    def action_move(self, by: int) -> None:
        listed = self.query_one(OptionList)
        listed.action_cursor_down() if by > 0 else listed.action_cursor_up()

    def action_resume(self) -> None:
        if self.chosen is not None:
            self.dismiss(self.chosen)

    @work(thread=True, group="delete", exit_on_error=False)
    def action_delete(self) -> None:
        session = self.chosen
        if session is None:
            return
        store = History()
        store.delete(session)
        self.app.call_from_thread(self.chat.tell, "ui_deleted")
        self.post_message(self.Found(store.sessions(self.query_one(Input).value)))

    @work(thread=True, group="export", exit_on_error=False)
    def action_export(self) -> None:
        from .keeping import written

        if self.chosen is not None:
            path = written(History().export(self.chosen))
            self.app.call_from_thread(self.chat.tell, "ui_exported", path=str(path))


def _about(session: Session) -> str:
    return f"{session.started[:16].replace('T', ' ')} · {session.turns} · {' '.join(session.entries)}"
