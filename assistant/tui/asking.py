"""Asking from the chat: messages wait their turn, a worker answers, the answer comes back as a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.worker import get_current_worker

from assistant.answer import Answer
from assistant.paste import parse
from assistant.words import word

from .composer import Composer
from .keeping import Keeping
from .thread import Said

if TYPE_CHECKING:
    from assistant.conversation import Conversation

    from .blocks import AnswerView


class Asking(Keeping):
    """The part of the chat that asks and shows what is answered. `busy` while an answer is on its way."""

    busy: reactive[bool] = reactive(False)

    class Answered(Message):
        """A worker has an answer. `shown` is the view whose answer it replaces (None: a new one)."""

        def __init__(self, answer: Answer, talk: Conversation, shown: AnswerView | None = None) -> None:
            super().__init__()
            self.answer, self.talk, self.shown = answer, talk, shown

    class Piped(Message):
        """Standard input has been read to its end."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    @property
    def shown(self) -> AnswerView | None:
        """The newest answer on screen."""
        from .blocks import AnswerView

        return next(iter(reversed(list(self.query(AnswerView)))), None)

    @work(thread=True, group="piped", exit_on_error=False)
    def read_piped(self) -> None:
        """Read standard input to its end; a log of any size is digested on the way."""
        from assistant.reading import read_text

        from .app import ChatApp

        stream = self.chat.options.piped
        assert stream is not None
        self.app.post_message(ChatApp.Told(word("ui_reading", self.lang)))
        with stream:
            text = read_text(stream)
        if text.strip():
            self.post_message(self.Piped(text))

    def on_asking_piped(self, message: Piped) -> None:
        self.submit(message.text)

    def opened(self) -> None:
        """The knowledge base is there: answer what was asked meanwhile."""
        assert self.chat.assistant is not None
        self.conversation = self.chat.assistant.conversation()
        if self.chat.options.lang == "auto":
            self.conversation.lang = self.lang
        self._next()

    def on_composer_submitted(self, message: Composer.Submitted) -> None:
        self.submit(message.text)

    def submit(self, text: str) -> None:
        """Show what was said and answer it as soon as its turn comes."""
        said = Said(text, self.lang)
        self.thread.mount(said)
        self.thread.show(said)
        self.waiting.append(text)
        if self.conversation is None:
            self.chat.tell("ui_wait")
        self._next()

    def _next(self) -> None:
        if self.waiting and not self.busy and self.conversation is not None:
            self.busy = True
            self.answer(self.waiting.pop(0))

    @work(thread=True, group="answer", exit_on_error=False)
    def answer(self, text: str) -> None:
        from assistant import intents

        from .app import PATIENCE

        talk, assistant = self.conversation, self.chat.assistant
        assert talk is not None and assistant is not None
        pasted = parse(text).root is not None
        if intents.read(text) is None and not pasted:  # only words need the model
            self.chat.model_ready.wait(PATIENCE)
        try:
            with self._lock:
                if self.chat.options.machine and (pasted or talk.facts is None):  # a paste may name another Python
                    talk.facts = assistant.machine(paste=text)
                said = talk.say(text)
        except Exception:
            self.app.call_from_thread(self._idle)
            raise
        self.post_message(self.Answered(said, talk))
        if talk is self.conversation:
            self._keep(text, said)

    def _idle(self) -> None:
        self.busy = False
        self._next()

    async def on_asking_answered(self, message: Answered) -> None:
        answer = message.answer
        if message.talk is not self.conversation:  # a new chat was begun meanwhile
            self._idle()
            return
        if message.shown is not None:
            message.shown.answer = answer
            return
        from .blocks import AnswerView

        view = AnswerView(answer)
        await self.thread.mount(view)
        self.thread.show(self._question_of(view))
        for text in answer.notes:
            self.notify(text, markup=False)
        if answer.reply and answer.reply.intent == "language":
            self.chat.lang = answer.lang
        panel = await self.panel()
        panel.lang = answer.lang
        panel.answer = answer if answer.candidates else None
        self._idle()
        if answer.reply and answer.reply.action == "confirm":
            self.action_prove()

    def _question_of(self, view: AnswerView) -> Widget:
        """What is to stand at the top: the question if it is short, else the answer itself."""
        before = list(self.thread.children)
        said = before[before.index(view) - 1] if view in before[1:] else view
        return said if isinstance(said, Said) and said.lines <= 3 else view

    @work(thread=True, exclusive=True, group="choose", exit_on_error=False)
    def choose(self, id: str, shown: AnswerView | None = None) -> None:
        """Turn to another entry; it takes the place of the answer in `shown`."""
        talk = self.conversation
        assert talk is not None
        worker = get_current_worker()
        with self._lock:
            if worker.is_cancelled:
                return
            answer = talk.choose(id)
        self.post_message(self.Answered(answer, talk, shown))
