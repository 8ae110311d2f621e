"""Proving from the chat: `confirm` in a worker with live output; the verdict comes back as a message."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from assistant.errors import AssistantError
from assistant.words import word

from .hints import HintedScreen
from .thread import Thread

if TYPE_CHECKING:
    from assistant.conversation import Conversation

    from .proof import ProofView


class Proving(HintedScreen[None]):
    """The part of the chat that runs one proof at a time."""

    conversation: Conversation | None = None
    proof: ProofView | None = None

    class Proved(Message):
        """A proof has ended."""

        def __init__(self, view: ProofView, verdict: str, status: str = "") -> None:
            super().__init__()
            self.view, self.verdict, self.status = view, verdict, status

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()  # one worker at a time speaks with the conversation, in order

    @property
    def thread(self) -> Thread:
        return self.query_one(Thread)

    def action_prove(self) -> None:
        from .proof import ProofView

        match = self.conversation.focus if self.conversation else None
        if match is None or self.conversation is None:
            self.chat.tell("ui_no_proof")
        elif self.proof is not None:
            self.chat.tell("ui_proof_busy")
        else:
            topic = self.conversation.topic
            self.proof = ProofView(match.id, self.lang)
            self.thread.mount(self.proof)
            self.thread.show(self.proof)
            self.prove(self.proof, topic.paste.text if topic and topic.root else None, self.conversation)

    @work(thread=True, group="prove", exit_on_error=False)
    def prove(self, view: ProofView, paste: str | None, talk: Conversation) -> None:
        """Run the entry's repro, both legs, and look at the machine; the verdict comes back as a message, whatever happens."""
        from assistant.verdict import confirmation_markdown

        worker = get_current_worker()
        assistant = self.chat.assistant
        assert assistant is not None

        def cancelled() -> bool:
            return worker.is_cancelled or view.stop.is_set()

        try:
            result = assistant.confirm(view.entry, paste, on_event=view.hear, cancelled=cancelled)
            if cancelled():
                self.post_message(self.Proved(view, "", word("ui_cancelled", self.lang, id=view.entry)))
                return
            facts = assistant.machine(paste=paste)
        except (AssistantError, OSError) as error:
            self.post_message(self.Proved(view, "", f"{word('ui_failed', self.lang, id=view.entry)}: {error}"))
            return
        self.post_message(self.Proved(view, confirmation_markdown(result, assistant.pitfall(result.id), view.lang, paste, facts)))
        with self._lock:
            talk.weigh(facts)

    def on_proving_proved(self, message: Proved) -> None:
        self.proof = None
        if message.view.is_mounted:
            message.view.finish(message.verdict, message.status)
