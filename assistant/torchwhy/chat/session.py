"""A sitting without a screen: messages wait their turn, one conversation answers them, what was said is kept.

Any thread may call it: one lock lets one caller at a time speak with the conversation. Whoever shows the
sitting takes requests from the queue (`take`), answers them in a worker (`ask`, `save`) and says when it is
ready for more (`done`).
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from torchwhy.text.phrases import phrase

from . import history

if TYPE_CHECKING:  # the rest is loaded with the knowledge base, behind the prompt: it takes 40 ms
    from torchwhy.answers.answer import Answer, Match, Rewritten
    from torchwhy.knowledge.facts import Facts

    from .backend import Backend
    from .conversation import Conversation
    from .message import Message

MODEL_WAIT_TIMEOUT_S = 5.0  # that a question waits for the model; then it is answered without
LANGUAGE_INTENTS = {"zh": "chinese", "en": "english"}

ProofResult = TypeVar("ProofResult")


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be answered: a text, or what a key asks for.

    For a key, `intent` is answered in `lang`, and `text` stands for it in the thread.
    """

    text: str
    intent: str = ""
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was said and answered; `markdown` is the answer.

    `error` names the session in the history; `traceback` holds the lines of the leading error, "" where there
    is none.
    """

    text: str
    entry: str | None
    markdown: str
    error: str = ""
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class ProofTarget:
    """What would be proved: the entry at hand, the paste that shows it, the conversation about it."""

    entry: str
    paste: str | None
    conversation: Conversation


@dataclass(eq=False)
class Record:
    """What was said in one chat.

    `number`: of its session in the history, once one was begun; `saved`: how many are there.
    """

    exchanges: list[Exchange] = field(default_factory=list)
    number: int | None = None
    saved: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def machine_request(lang: str) -> Request:
    """What "this machine" asks for."""
    return Request(phrase("ask_machine", lang), "machine", lang)


def language_request(lang: str) -> Request:
    """The last answer again in this language."""
    return Request(phrase("key_language", lang), LANGUAGE_INTENTS[lang], lang)


def request_of(text: str) -> Request:
    """What a kept text asked for: a key's where it stands for one, else itself."""
    keys = [make(lang) for lang in LANGUAGE_INTENTS for make in (machine_request, language_request)]
    return next((request for request in keys if request.text == text), Request(text))


class ChatSession:
    """One sitting.

    `machine`: look at this machine's facts for every diagnosis; `source`: read the files that a traceback
    names; `model_ready`: set once the model is loaded.

    `conversation` is None until the knowledge base is open; requests wait until then.
    """

    def __init__(
        self, *, machine: bool = False, source: bool = False, model_ready: threading.Event | None = None
    ) -> None:
        self.machine = machine
        self.source = source
        self.model_ready = model_ready or threading.Event()
        self.backend: Backend | None = None
        self.conversation: Conversation | None = None
        self.record = Record()
        self._waiting: deque[Request] = deque()
        self._answering = False
        self._lock = threading.Lock()  # one worker at a time speaks with the conversation, in order

    # -- opening and beginning again -------------------------------------------------------------------------

    def open(self, backend: Backend, lang: str | None = None) -> None:
        """The knowledge base is there. `lang`: the language to begin in (None: as the texts are)."""
        from .conversation import Conversation

        self.backend = backend
        self.conversation = Conversation(backend, source=self.source)
        if lang is not None:
            self.conversation.lang = lang

    def begin_again(self, lang: str) -> None:
        """A new chat, in this language until a text is in another. What was waiting is dropped.

        A language that was switched to on purpose stays.
        """
        switched = self.conversation is not None and self.conversation.fixed_lang is not None
        self._waiting.clear()
        self.record = Record()
        if self.backend is not None:
            from .conversation import Conversation

            self.conversation = Conversation(self.backend, source=self.source)
            if switched:
                self.conversation.speak(lang)
            else:
                self.conversation.lang = lang

    def change_language(self, lang: str) -> Request | None:
        """Go on in this language.

        Where something was diagnosed in another one, the request that says it again.
        """
        if self.conversation is None:
            return None
        if self.conversation.topic is not None and self.conversation.lang != lang:
            return language_request(lang)
        self.conversation.speak(lang)
        return None

    # -- the queue -------------------------------------------------------------------------------------------

    def enqueue(self, request: Request) -> None:
        self._waiting.append(request)

    def take(self) -> Request | None:
        """The next request; None while nothing waits, one is being answered, or the base is not open yet."""
        if not self._waiting or self._answering or self.conversation is None:
            return None
        self._answering = True
        return self._waiting.popleft()

    def done(self) -> None:
        """The request that was taken is answered and shown."""
        self._answering = False

    # -- asking ----------------------------------------------------------------------------------------------

    def ask(self, request: Request | str, conversation: Conversation | None = None) -> Answer:
        """Answer a request, and note it for `save`. A text that needs the model waits for it, within bounds.

        `conversation`: the one that the request was meant for, where a new chat may have begun since.
        """
        from .message import Message

        conversation = conversation or self._conversation()
        request = Request(request) if isinstance(request, str) else request
        error = traceback = ""
        if request.intent:
            with self._lock:
                answer = conversation.do(request.intent, request.lang, request.text)
        else:
            message = Message(request.text)
            root = message.root
            if root is None and message.intent is None:  # only words need the model
                self.model_ready.wait(MODEL_WAIT_TIMEOUT_S)
            with self._lock:
                self._look_at_machine(conversation, message)
                answer = conversation.hear(message)
            if root is not None:
                traceback = "\n".join(message.question.paste.lines[root.start : root.end])
                error = f"{root.name}: {root.message}" if root.exception else ""
        if conversation is self.conversation:
            markdown = answer.reply.markdown if answer.reply else ""
            entry = answer.match.id if answer.match else None
            self.record.exchanges.append(Exchange(request.text, entry, markdown, error, traceback))
        return answer

    def _look_at_machine(self, conversation: Conversation, message: Message) -> None:
        """Where every diagnosis is to be weighed.

        A paste may name another Python, so each one is looked at.
        """
        if self.machine and (message.root is not None or conversation.facts is None):
            assert self.backend is not None
            conversation.facts = self.backend.machine()

    def choose(self, id: str, cancelled: Callable[[], bool] = lambda: False) -> Answer | None:
        """Turn to another entry; None where that was cancelled before its turn came. Raises UsageError."""
        conversation = self._conversation()
        with self._lock:
            return None if cancelled() else conversation.choose(id)

    def put_back(self, focus: Match | None) -> None:
        """Speak again of the candidate that was spoken of before others were looked at."""
        conversation = self._conversation()
        with self._lock:
            conversation.focus = focus

    def rewrite(self, answer: Answer, cancelled: Callable[[], bool]) -> Rewritten:
        """The answer in a model's words. Raises UsageError, RewriteError."""
        assert self.backend is not None
        return self.backend.rewrite(answer, self._conversation().question(answer), cancelled=cancelled)

    def next_questions(self, lang: str) -> list[str]:
        """What can be said next, in that language."""
        conversation = self._conversation()
        with self._lock:
            return conversation.next_questions(lang)

    # -- proving ---------------------------------------------------------------------------------------------

    def proof_target(self) -> ProofTarget | None:
        """What a proof would run, or None where no entry is at hand."""
        conversation = self.conversation
        if conversation is None or conversation.focus is None:
            return None
        topic = conversation.topic
        paste = topic.paste.text if topic and topic.root else None
        return ProofTarget(conversation.focus.id, paste, conversation)

    def prove(
        self,
        target: ProofTarget,
        run: Callable[[ProofTarget], ProofResult],
        show: Callable[[ProofResult, Facts], str],
        cancelled: Callable[[], bool] = lambda: False,
    ) -> str | None:
        """Run a proof and say what it showed, as `show` puts it; None where it was cancelled.

        The machine's facts bear on the diagnosis from then on. Raises what `run` raises, and ConfirmError.
        """
        assert self.backend is not None
        result = run(target)
        if cancelled():
            return None
        facts = self.backend.machine()
        with self._lock:
            target.conversation.weigh(facts)
        return show(result, facts)

    # -- keeping ---------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write what was said since the last time into the history, if one is kept. Raises StoreError."""
        record = self.record
        if not history.enabled():
            return
        with record.lock:
            kept = history.History()
            for exchange in record.exchanges[record.saved :]:
                if record.number is None:
                    record.number = kept.begin(exchange.text, exchange.error, exchange.traceback)
                kept.add(record.number, exchange.text, exchange.entry, exchange.markdown, exchange.traceback)
                record.saved += 1

    def resume(self, number: int, lang: str) -> Iterator[tuple[str, Answer]]:
        """Say a kept chat again, one turn at a time: its answers come from the knowledge base of today.

        Raises StoreError where it cannot be read; yields nothing where nothing is kept of it.
        """
        turns = history.History().turns(number)
        self.begin_again(lang)
        conversation, record = self._conversation(), self.record
        for turn in turns:
            request = request_of(turn.said)
            with self._lock:
                if request.intent:
                    answer = conversation.do(request.intent, request.lang, request.text)
                else:
                    answer = conversation.say(request.text)
            record.exchanges.append(Exchange(turn.said, turn.entry, turn.answer))
            record.saved += 1
            record.number = number
            yield turn.said, answer

    def _conversation(self) -> Conversation:
        assert self.conversation is not None, "the knowledge base is not open yet"
        return self.conversation
