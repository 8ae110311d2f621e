"""Keeping from the chat: history, resuming and exporting. Nothing is written that was not redacted."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import work

from assistant import history
from assistant.answer import Answer

from .proving import Proving
from .thread import Said

if TYPE_CHECKING:
    from .candidates import Candidates


class Keeping(Proving):
    """The part of the chat that keeps what was said. `said_so_far`: (message, entry, answer) of this chat."""

    session: int | None = None

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[str] = []  # messages that are still to be answered
        self.said_so_far: list[tuple[str, str | None, str]] = []

    async def panel(self) -> Candidates:
        """The candidates; made when they are first needed."""
        from .candidates import Candidates

        found = list(self.query(Candidates))
        if not found:
            found = [Candidates(id="candidates")]
            found[0].display = False
            await self.query_one("#body").mount(found[0])
        return found[0]

    async def action_new_chat(self) -> None:
        if self.proof is not None:
            self.proof.stop.set()
        await self.thread.remove_children()
        self.waiting.clear()
        self.session, self.said_so_far = None, []
        (await self.panel()).answer = None
        if self.chat.assistant is not None:
            self.conversation = self.chat.assistant.conversation()
            self.conversation.speak(self.lang)

    def _keep(self, text: str, answer: Answer) -> None:
        shown = answer.reply.markdown if answer.reply else ""
        entry = answer.match.id if answer.match else None
        self.said_so_far.append((text, entry, shown))
        if history.enabled():
            store = history.History()
            if self.session is None:
                self.session = store.begin(text)
            store.add(self.session, text, entry, shown)

    def action_sessions(self) -> None:
        from .sessions import SessionsScreen

        if not history.enabled():
            self.chat.tell("ui_history_off")
            return

        def resume(session: int | None) -> None:
            if session is not None:
                self.resume(session)

        self.app.push_screen(SessionsScreen(), resume)

    @work(exclusive=True, group="resume", exit_on_error=False)
    async def resume(self, session: int) -> None:
        """Say a kept session again: its answers come from the knowledge base of today."""
        from .blocks import AnswerView

        kept = history.History().turns(session)
        await self.action_new_chat()
        if self.chat.assistant is None or self.conversation is None or not kept:
            return
        for turn in kept:
            answer = await self._said_again(turn.said)
            view = AnswerView(answer)
            await self.thread.mount(Said(turn.said, self.lang), view)
            self.thread.show(view)
            self.said_so_far.append((turn.said, turn.entry, turn.answer))
            (await self.panel()).answer = answer if answer.candidates else None
        self.session = session
        self.chat.tell("ui_resumed", title=kept[0].said.strip().splitlines()[0][:60])

    async def _said_again(self, text: str) -> Answer:
        assert self.conversation is not None
        return await asyncio.to_thread(self.conversation.say, text)

    @work(thread=True, group="export", exit_on_error=False)
    def action_export(self) -> None:
        """This chat as Markdown."""
        from assistant.redact import redact
        from assistant.render import fence

        if not self.said_so_far:
            self.app.call_from_thread(self.chat.tell, "ui_nothing_to_export")
            return
        parts = ["# torchwhy"]
        for said, _, answer in self.said_so_far:
            parts += [fence(history.cut(said)), answer.strip(), "---"]
        self.app.call_from_thread(self.chat.deliver, redact("\n\n".join(parts) + "\n"))
