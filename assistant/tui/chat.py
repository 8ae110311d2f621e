"""The chat itself: the thread, the input, the candidates. Slow work runs in workers and comes back as messages."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from assistant.answer import Answer
from assistant.paste import parse
from assistant.words import word

from .composer import Composer
from .keeping import Keeping
from .literal import literal
from .thread import Said, Thread

if TYPE_CHECKING:
    from assistant.conversation import Conversation

    from .blocks import AnswerView
    from .candidates import Candidates


class StatusLine(Static):
    """The first line: where things stand."""

    state: reactive[str] = reactive("")

    def watch_state(self, state: str) -> None:
        self.update(literal("torchwhy", "bold").append(literal(f"  {state}", "dim")))


class ChatScreen(Keeping):
    """The first screen."""

    BINDINGS = [
        Binding("f1", "help", "ui_key_help"),
        Binding("f2", "browse", "ui_key_browse"),
        Binding("f3", "candidates", "ui_key_candidates"),
        Binding("f4", "sessions", "ui_key_sessions"),
        Binding("f5", "prove", "ui_key_prove"),
        Binding("f6", "copy('fix')", "ui_key_copy_fix", priority=True),  # the text area has F6 and F7 of its own
        Binding("f7", "copy('repro')", "ui_key_copy_repro", show=False, priority=True),
        Binding("f8", "copy('answer')", "ui_key_copy_answer", show=False),
        Binding("ctrl+n", "new_chat", "ui_key_new_chat", show=False, priority=True),
        Binding("ctrl+s", "export", "ui_key_export", show=False, priority=True),
        Binding("escape", "back_to_input", show=False),
        Binding("pageup", "scroll(-1)", show=False, priority=True),
        Binding("pagedown", "scroll(1)", show=False, priority=True),
    ]

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

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()  # one message at a time reaches the conversation, in order

    def compose(self) -> ComposeResult:
        yield StatusLine("", id="status", markup=False)
        with Horizontal(id="body"):
            yield Thread(id="thread")
        yield Composer(id="composer")
        yield Footer()

    def on_mount(self) -> None:
        self.watch(self.app, "lang", self._relabel)
        self.watch(self.app, "status", self._show_state)
        self.composer.input.focus()
        if self.chat.options.piped is not None:
            self.read_piped()

    @property
    def composer(self) -> Composer:
        return self.query_one(Composer)

    @property
    def shown(self) -> AnswerView | None:
        """The newest answer on screen."""
        from .blocks import AnswerView

        return next(iter(reversed(list(self.query(AnswerView)))), None)

    def _relabel(self, lang: str) -> None:
        self.composer.lang = lang
        for panel in self.query("#candidates"):
            panel.lang = lang  # type: ignore[attr-defined]
        # The switch speaks for the answers as well: the last one is said again in the other language.
        if self.conversation is not None and self.conversation.topic is not None and self.conversation.lang != lang:
            self.submit("中文" if lang == "zh" else "English")
        elif self.conversation is not None:
            self.conversation.speak(lang)

    def _show_state(self) -> None:
        self.query_one(StatusLine).state = word("ui_thinking", self.lang) if self.busy else self.chat.status

    def watch_busy(self) -> None:
        if self.is_mounted:
            self._show_state()

    # -- asking -----------------------------------------------------------------------------------------------------

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

    def on_chat_screen_piped(self, message: Piped) -> None:
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

        talk = self.conversation
        assert talk is not None
        if intents.read(text) is None and parse(text).root is None:  # only words need the model
            self.chat.model_ready.wait(PATIENCE)
        try:
            with self._lock:
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

    async def on_chat_screen_answered(self, message: Answered) -> None:
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

    def on_candidates_picked(self, message: Candidates.Picked) -> None:
        if self.shown is not None and (self.shown.answer is None or self.shown.answer.match is None or self.shown.answer.match.id != message.id):
            self.choose(message.id, self.shown)

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

    # -- keys -------------------------------------------------------------------------------------------------------

    def action_scroll(self, pages: int) -> None:
        self.thread.target = None
        self.thread.scroll_relative(y=pages * max(1, self.thread.size.height - 2), animate=False)

    async def action_back_to_input(self) -> None:
        if self.proof is not None:
            self.proof.stop.set()
        elif self.has_class("-candidates-only") or not self.composer.input.has_focus:
            if self.has_class("-candidates-only"):
                await self.action_candidates()
            self.composer.input.focus()

    async def action_candidates(self) -> None:
        from textual.widgets import OptionList

        panel = await self.panel()
        panel.display = not panel.display
        self.set_class(panel.display, "-candidates-only")
        (panel.query_one(OptionList) if panel.display else self.composer.input).focus()

    def action_help(self) -> None:
        from .pages import HelpScreen

        self.app.push_screen(HelpScreen())

    def action_browse(self) -> None:
        from .browse import BrowseScreen

        if self.chat.assistant is None or self.conversation is None:
            self.chat.tell("ui_opening")
            return

        def take(id: str | None) -> None:
            if id:
                self.submit(id)

        self.app.push_screen(BrowseScreen(), take)

    def action_copy(self, what: str) -> None:
        view = self.shown
        match = self.conversation.focus if self.conversation else None
        text = ""
        if what == "answer":
            text = view.markdown if view else ""
        elif match is not None:
            entry = match.pitfall
            lang = view.answer.lang if view and view.answer else self.lang
            text = entry.fix[lang] if what == "fix" else Path(entry.repro).read_text("utf-8") if entry.repro else ""
        self.chat.copy(text, word(f"ui_key_copy_{what}", self.lang))
