"""An answer in a model's words, from the chat: asked for by a key, marked, and the plain answer one key away."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from assistant.words import word

from .asking import Asking

if TYPE_CHECKING:
    from assistant.answer import Answer
    from assistant.conversation import Conversation
    from assistant.endpoint import Endpoint
    from assistant.rewrite import Rewritten

    from .blocks import AnswerView


class Rewriting(Asking):
    """The part of the chat that lets a model say the newest answer again. `writing`: set it to cancel the one under way."""

    writing: threading.Event | None = None

    class Wrote(Message):
        """A model has answered, or `reason` says why its words are not used ("" where the user cancelled)."""

        def __init__(self, view: AnswerView, answer: Answer, rewritten: Rewritten | None, reason: str) -> None:
            super().__init__()
            self.view, self.answer, self.rewritten, self.reason = view, answer, rewritten, reason

    def action_rewrite(self) -> None:
        """Turn between the model's words and the plain ones; ask the model where it has not been asked."""
        from assistant.endpoint import configured
        from assistant.errors import UsageError

        view = self.shown
        if view is None or view.answer is None or self.conversation is None:
            self.chat.tell("ui_nothing_to_rewrite")
            return
        if view.rewritten is not None:
            view.in_other_words = not view.in_other_words
            return
        if self.writing is not None:
            return
        try:
            endpoint = configured()
        except UsageError as error:
            self.chat.say_error(error)
            return
        if endpoint is None:
            self.chat.tell("ui_no_model")
            return
        self.writing = threading.Event()
        view.waiting = word("ui_rewriting", self.lang, model=endpoint.model, host=endpoint.host)
        self.rewrite(view, view.answer, self.conversation, endpoint, self.writing)

    @work(thread=True, group="rewrite", exit_on_error=False)
    def rewrite(self, view: AnswerView, answer: Answer, talk: Conversation, endpoint: Endpoint, stop: threading.Event) -> None:
        """Ask the model; what it says comes back as a message, whatever happens."""
        from assistant.errors import AssistantError
        from assistant.rewrite import rewrite

        worker = get_current_worker()

        def cancelled() -> bool:
            return stop.is_set() or worker.is_cancelled

        try:
            found = rewrite(answer, talk.question(answer), endpoint, cancelled)
        except AssistantError as error:
            self.post_message(self.Wrote(view, answer, None, "" if cancelled() else str(error)))
            return
        except Exception:
            self.post_message(self.Wrote(view, answer, None, ""))
            raise
        self.post_message(self.Wrote(view, answer, found, ""))

    def on_rewriting_wrote(self, message: Wrote) -> None:
        self.writing = None
        view = message.view
        view.waiting = ""
        if message.reason:
            self.chat.tell("ui_not_rewritten", reason=message.reason)
        elif message.rewritten is not None and view.is_mounted and view.answer is message.answer:
            view.rewritten = message.rewritten
            view.in_other_words = True
