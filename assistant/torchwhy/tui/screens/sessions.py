"""Earlier chats: search them, read, resume or delete one."""

from __future__ import annotations

from textual import work
from textual.binding import Binding
from textual.widgets.option_list import Option

from torchwhy.chat.history import History, Session
from torchwhy.tui.widgets.literal import literal

from .picker import Picker

MAX_PAGE_CHARS = 20_000  # of a kept chat


class SessionsScreen(Picker[int]):
    """Returns the session to resume, or None."""

    BINDINGS = [
        Binding("f4", "dismiss", show=False),
        Binding("enter", "take", "ui_key_resume", priority=True),
        Binding("ctrl+d,delete", "delete", "ui_key_delete", priority=True),
    ]
    SEARCH, EMPTY = "ui_search_sessions", "ui_no_sessions"

    def find(self, text: str) -> list[Option]:
        return [
            Option(literal(f"{session.title}\n").append(literal(_about(session), "dim")), id=str(session.id))
            for session in History().sessions(text)
        ]

    def page_of(self, id: str | None) -> str:
        return History().page(int(id))[:MAX_PAGE_CHARS] if id is not None else ""

    def action_take(self) -> None:
        if self.picked is not None:
            self.dismiss(int(self.picked))

    @work(thread=True, group="delete", exit_on_error=False)
    def action_delete(self) -> None:
        if self.picked is not None:
            History().delete(int(self.picked))
            self.app.call_from_thread(self.chat.tell, "ui_deleted")
            self.app.call_from_thread(self.search)


def _about(session: Session) -> str:
    return f"{session.started[:16].replace('T', ' ')} · {session.turns} · {' '.join(session.entries)}"
