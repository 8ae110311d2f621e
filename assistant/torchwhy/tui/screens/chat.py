"""The chat itself: the thread, the input, the candidates, the keys. What is behind them is `chat.session`."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.events import Paste
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Footer
from textual.worker import get_current_worker

from torchwhy.chat import history
from torchwhy.chat.session import Request, machine_request
from torchwhy.errors import AssistantError, UsageError
from torchwhy.knowledge.files import read_script
from torchwhy.text.phrases import phrase
from torchwhy.tui.widgets.chips import Chips
from torchwhy.tui.widgets.composer import Composer
from torchwhy.tui.widgets.status import StatusLine
from torchwhy.tui.widgets.thread import Greeting, Said, ThreadView

from .base import HintedScreen

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer, Match, Rewritten
    from torchwhy.chat.conversation import Conversation
    from torchwhy.chat.session import ChatSession, ProofTarget
    from torchwhy.knowledge.facts import Facts
    from torchwhy.proof.confirmation import Confirmation
    from torchwhy.tui.widgets.answer import AnswerView
    from torchwhy.tui.widgets.candidates import Candidates
    from torchwhy.tui.widgets.paste import PasteView
    from torchwhy.tui.widgets.proof import ProofView

MAX_QUESTION_LINES = 3  # a question of at most as many stands at the top, above its answer
MAX_TITLE_CHARS = 60
# What may be written instead of a key that a terminal or a browser keeps for itself.
COMMANDS = {
    "/help": "help",
    "/browse": "browse",
    "/candidates": "candidates",
    "/sessions": "sessions",
    "/prove": "prove",
    "/fix": "copy('fix')",
    "/script": "copy('repro')",
    "/machine": "machine",
    "/new": "new_chat",
    "/quit": "app.quit",
    "help": "help",
    "?": "help",
    "quit": "app.quit",
    "exit": "app.quit",
}


class Before(NamedTuple):
    """What was there when the candidates were opened: the view, its answer, and what follow-ups spoke of."""

    view: AnswerView
    answer: Answer
    focus: Match | None


class ChatScreen(HintedScreen[None]):
    """The first screen.

    `busy` while an answer is on its way; `proof` is the one that runs; `writing`: set it to cancel the model
    that writes.
    """

    BINDINGS = [
        Binding("f1", "help", "ui_key_help"),
        Binding("f2", "browse", "ui_key_browse"),
        Binding("f3", "candidates", "ui_key_candidates"),
        Binding("f4", "sessions", "ui_key_sessions"),
        Binding("f5", "prove", "ui_key_prove"),
        # The text area has F6 and F7 of its own.
        Binding("f6", "copy('fix')", "ui_key_copy_fix", priority=True),
        Binding("f7", "copy('repro')", "ui_key_copy_repro", show=False, priority=True),
        Binding("f8", "copy('answer')", "ui_key_copy_answer", show=False),
        Binding("f11", "machine", "ui_key_machine", show=False),
        Binding("ctrl+o", "rewrite", "ui_key_rewrite", show=False, priority=True),
        Binding("ctrl+n", "new_chat", "ui_key_new_chat", show=False, priority=True),
        Binding("escape", "back_to_input", show=False),
        Binding("pageup", "scroll(-1)", show=False, priority=True),
        Binding("pagedown", "scroll(1)", show=False, priority=True),
    ]

    busy: reactive[bool] = reactive(False)

    @dataclass
    class PipedRead(Message):
        """Standard input has been read to its end."""

        text: str

    @dataclass
    class Answered(Message):
        """A worker has an answer. `shown` is the view whose answer it replaces (None: a new one)."""

        answer: Answer
        conversation: Conversation
        shown: AnswerView | None = None

    @dataclass
    class ProofFinished(Message):
        """A proof has ended: with a verdict in Markdown, or with a `status` that says why there is none."""

        view: ProofView
        verdict: str
        status: str = ""

    @dataclass
    class RewriteFinished(Message):
        """A model has answered, or `reason` says why its words are not used ("" where the user cancelled)."""

        view: AnswerView
        answer: Answer
        rewritten: Rewritten | None
        reason: str

    def __init__(self, session: ChatSession) -> None:
        super().__init__()
        self.session = session
        self.proof: ProofView | None = None
        self.writing: threading.Event | None = None
        self.before_candidates: Before | None = None

    def compose(self) -> ComposeResult:
        yield StatusLine("", id="status", markup=False)
        with Horizontal(id="body"):
            yield Greeting("", id="greeting", markup=False)
            yield ThreadView(id="thread")
        yield Chips()
        yield Composer(id="composer")
        yield Footer()

    def on_mount(self) -> None:
        self.watch(self.app, "lang", self._relabel)
        self.watch(self.app, "status", self._show_state)
        self.composer.input.focus()
        self.greet(self.chat.options.piped is None)
        if self.chat.options.piped is not None:
            self.chat.status = phrase("ui_reading", self.lang)
            self.read_piped()

    @property
    def composer(self) -> Composer:
        return self.query_one(Composer)

    @property
    def thread(self) -> ThreadView:
        return self.query_one(ThreadView)

    @property
    def shown(self) -> AnswerView | None:
        """The newest answer on screen."""
        from torchwhy.tui.widgets.answer import AnswerView

        return next(iter(reversed(list(self.query(AnswerView)))), None)

    def greet(self, empty: bool) -> None:
        """Show what can be done where nothing was said yet, else the thread."""
        self.set_class(empty, "-empty")

    async def panel(self) -> Candidates:
        """The candidates; made when they are first needed."""
        from torchwhy.tui.widgets.candidates import Candidates

        panels = list(self.query(Candidates))
        if not panels:
            panels = [Candidates(id="candidates")]
            panels[0].display = False
            await self.query_one("#body").mount(panels[0])
        return panels[0]

    async def paste_view(self) -> PasteView:
        """The paste beside its answer; made when it is first needed."""
        from torchwhy.tui.widgets.paste import PasteView

        views = list(self.query(PasteView))
        if not views:
            views = [PasteView()]
            await self.query_one("#body").mount(views[0], after=self.thread)
        return views[0]

    async def _show_beside(self, answer: Answer) -> None:
        """A new diagnosis: its paste beside it where the screen has room, and what can be asked next."""
        if answer.reply is not None and answer.reply.intent == "diagnosis":
            pasted = answer.root is not None and (await self.paste_view()).show(answer)
            self.set_class(pasted, "-pasted")
        self.query_one(Chips).questions = tuple(self.session.next_questions(answer.lang))

    def _relabel(self, lang: str) -> None:
        self.composer.lang = lang
        greeting = self.query_one(Greeting)
        greeting.failed = self.chat.options.failed
        greeting.say(lang)
        for panel in self.query("#candidates"):
            panel.lang = lang  # type: ignore[attr-defined]
        # The switch speaks for the answers as well: the last one is said again in the other language.
        request = self.session.change_language(lang)
        if request is not None:
            self.submit(request)

    def _show_state(self) -> None:
        self.query_one(StatusLine).state = phrase("ui_thinking", self.lang) if self.busy else self.chat.status

    def watch_busy(self) -> None:
        if self.is_mounted:
            self._show_state()

    # -- asking ----------------------------------------------------------------------------------------------

    def opened(self) -> None:
        """The knowledge base is there: answer what was asked meanwhile."""
        assert self.chat.backend is not None
        self.session.open(self.chat.backend, self.lang if self.chat.options.lang == "auto" else None)
        self._answer_next()

    @work(thread=True, group="piped", exit_on_error=False)
    def read_piped(self) -> None:
        """Read standard input to its end; a log of any size is digested on the way."""
        from torchwhy.paste.reading import read_text

        stream = self.chat.options.piped
        assert stream is not None
        with stream:
            text = read_text(stream)
        if text.strip():
            self.post_message(self.PipedRead(text))

    def on_chat_screen_piped_read(self, message: PipedRead) -> None:
        self.submit(Request(message.text))

    async def on_composer_submitted(self, message: Composer.Submitted) -> None:
        word = message.text.strip().lower()
        action = COMMANDS.get(word)
        if action is not None:
            await self.run_action(action)
        elif word.startswith("/") and word[1:].isalpha():
            self.chat.tell(
                "ui_commands", commands=" ".join(name for name in COMMANDS if name.startswith("/"))
            )
        else:
            offered = self.query_one(Greeting).offered(word, self.lang) if self.has_class("-empty") else None
            self.submit(Request(offered or message.text))

    def on_chips_asked(self, message: Chips.Asked) -> None:
        self.composer.input.focus()
        self.submit(Request(message.question))

    async def on_input_left(self) -> None:
        await self.run_action("app.quit")

    def on_paste(self, event: Paste) -> None:
        """Wherever the focus is, a paste goes to the input (which lets none of its own come up here)."""
        event.stop()
        self.composer.input.focus()
        self.composer.input.post_message(Paste(event.text))

    def submit(self, request: Request) -> None:
        """Show what was said and answer it as soon as its turn comes."""
        self.greet(False)
        said = Said(request.text, self.lang)
        self.thread.mount(said)
        self.thread.show(said)
        self.session.enqueue(request)
        if self.session.conversation is None:
            self.chat.tell("ui_wait")
        self._answer_next()

    def _answer_next(self) -> None:
        request = self.session.take()
        if request is not None:
            assert self.session.conversation is not None
            self.busy = True
            self.answer(request, self.session.conversation)

    def _idle(self) -> None:
        self.session.done()
        self.busy = False
        self._answer_next()

    @work(thread=True, group="answer", exit_on_error=False)
    def answer(self, request: Request, conversation: Conversation) -> None:
        try:
            answer = self.session.ask(request, conversation)
        except Exception:
            self.app.call_from_thread(self._idle)
            raise
        self.post_message(self.Answered(answer, conversation))
        self.session.save()

    async def on_chat_screen_answered(self, message: Answered) -> None:
        answer = message.answer
        if message.conversation is not self.session.conversation:  # a new chat was begun meanwhile
            self._idle()
            return
        if message.shown is not None:
            message.shown.answer = answer
            self.query_one(Chips).questions = tuple(self.session.next_questions(answer.lang))
            return
        view = await self._show_answer(answer)
        await self._show_beside(answer)
        self.thread.show(self._top_of(view))
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

    async def _show_answer(self, answer: Answer, *above: Widget) -> AnswerView:
        from torchwhy.tui.widgets.answer import AnswerView

        view = AnswerView(answer)
        await self.thread.mount(*above, view)
        return view

    def _top_of(self, view: AnswerView) -> Widget:
        """What is to stand at the top: the question if it is short, else the answer itself."""
        children = list(self.thread.children)
        said = children[children.index(view) - 1] if view in children[1:] else view
        return said if isinstance(said, Said) and said.lines <= MAX_QUESTION_LINES else view

    def on_candidates_picked(self, message: Candidates.Picked) -> None:
        view = self.shown
        if view is None:
            return
        match = view.answer.match if view.answer else None
        if match is None or match.id != message.id:
            self.choose(message.id, view)

    @work(thread=True, exclusive=True, group="choose", exit_on_error=False)
    def choose(self, id: str, shown: AnswerView) -> None:
        """Turn to another entry; it takes the place of the answer in `shown`."""
        conversation = self.session.conversation
        assert conversation is not None
        worker = get_current_worker()
        answer = self.session.choose(id, lambda: worker.is_cancelled)
        if answer is not None:
            self.post_message(self.Answered(answer, conversation, shown))

    @work(thread=True, exclusive=True, group="choose", exit_on_error=False)
    def put_back(self, before: Before) -> None:
        """Leave the candidates: the answer and the entry that follow-ups speak of are as they were."""
        conversation = self.session.conversation
        assert conversation is not None
        self.session.put_back(before.focus)
        self.post_message(self.Answered(before.answer, conversation, before.view))

    async def on_candidates_kept(self) -> None:
        await self.action_candidates()

    def action_machine(self) -> None:
        """The machine's facts, and what they say of the entry at hand."""
        self.submit(machine_request(self.lang))

    # -- proving ---------------------------------------------------------------------------------------------

    def action_prove(self) -> None:
        target = self.session.proof_target()
        if target is None:
            self.chat.tell("ui_no_proof")
        elif self.proof is not None:
            self.chat.tell("ui_proof_busy")
        else:
            self._begin_proof(target)

    def _begin_proof(self, target: ProofTarget) -> None:
        from torchwhy.tui.widgets.proof import ProofView

        self.proof = ProofView(target.entry, self.lang)
        self.thread.mount(self.proof)
        self.thread.show(self.proof)
        self.prove(self.proof, target)

    @work(thread=True, group="prove", exit_on_error=False)
    def prove(self, view: ProofView, target: ProofTarget) -> None:
        """Run the entry's repro, both legs, and look at the machine; the verdict comes back as a message."""
        from torchwhy.proof.verdict import confirmation_markdown

        worker = get_current_worker()
        backend = self.chat.backend
        assert backend is not None

        def cancelled() -> bool:
            return worker.is_cancelled or view.stop.is_set()

        def run(target: ProofTarget) -> Confirmation:
            return backend.confirm(target.entry, target.paste, on_event=view.hear, cancelled=cancelled)

        def show(result: Confirmation, facts: Facts) -> str:
            return confirmation_markdown(result, backend.pitfall(result.id), view.lang, target.paste, facts)

        try:
            verdict = self.session.prove(target, run, show, cancelled)
        except (AssistantError, OSError) as error:
            status = f"{phrase('ui_failed', self.lang, id=view.entry)}: {error}"
        else:
            status = "" if verdict is not None else phrase("ui_cancelled", self.lang, id=view.entry)
        self.post_message(self.ProofFinished(view, "" if status else verdict or "", status))

    def on_chat_screen_proof_finished(self, message: ProofFinished) -> None:
        self.proof = None
        view = message.view
        if view.is_attached:  # a refusal may come before it is mounted: it hears of that in its own turn
            view.call_later(view.finish, message.verdict, message.status)

    # -- in a model's words ----------------------------------------------------------------------------------

    def action_rewrite(self) -> None:
        """Turn between the model's words and the plain ones; ask the model where it has not been asked."""
        from torchwhy.llm.endpoint import configured

        view = self.shown
        if view is None or view.answer is None or self.session.conversation is None:
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
        view.waiting = phrase("ui_rewriting", self.lang, model=endpoint.model, host=endpoint.host)
        self.rewrite(view, view.answer, self.writing)

    @work(thread=True, group="rewrite", exit_on_error=False)
    def rewrite(self, view: AnswerView, answer: Answer, stop: threading.Event) -> None:
        """Ask the model; what it says comes back as a message, whatever happens."""
        worker = get_current_worker()

        def cancelled() -> bool:
            return stop.is_set() or worker.is_cancelled

        rewritten, reason = None, ""
        try:
            rewritten = self.session.rewrite(answer, cancelled)
        except AssistantError as error:
            reason = "" if cancelled() else str(error)
        finally:
            self.post_message(self.RewriteFinished(view, answer, rewritten, reason))

    def on_chat_screen_rewrite_finished(self, message: RewriteFinished) -> None:
        self.writing = None
        view = message.view
        view.waiting = ""
        if message.reason:
            self.chat.tell("ui_not_rewritten", reason=message.reason)
        elif message.rewritten is not None and view.is_mounted and view.answer is message.answer:
            view.rewritten = message.rewritten
            view.in_other_words = True

    # -- keeping ---------------------------------------------------------------------------------------------

    async def action_new_chat(self) -> None:
        self.session.begin_again(self.lang)
        await self._clear()

    async def _clear(self) -> None:
        if self.proof is not None:
            self.proof.stop.set()
        await self.thread.remove_children()
        self.greet(True)
        self.remove_class("-pasted")
        self.query_one(Chips).questions = ()
        (await self.panel()).answer = None

    def action_sessions(self) -> None:
        from .sessions import SessionsScreen

        if not history.enabled():
            self.chat.tell("ui_history_off")
            return

        def resume(number: int | None) -> None:
            if number is not None:
                self.resume(number)

        self.app.push_screen(SessionsScreen(), resume)

    @work(exclusive=True, group="resume", exit_on_error=False)
    async def resume(self, number: int) -> None:
        """Say a kept chat again: its answers come from the knowledge base of today."""
        if self.session.conversation is None:
            return
        turns = self.session.resume(number, self.lang)
        title = ""
        while (turn := await asyncio.to_thread(next, turns, None)) is not None:
            said, answer = turn
            if not title:
                await self._clear()
                title = said.strip().splitlines()[0][:MAX_TITLE_CHARS]
            self.greet(False)
            self.thread.show(await self._show_answer(answer, Said(said, self.lang)))
            await self._show_beside(answer)
            (await self.panel()).answer = answer if answer.candidates else None
        if title:
            self.chat.tell("ui_resumed", title=title)

    # -- other keys ------------------------------------------------------------------------------------------

    def action_scroll(self, pages: int) -> None:
        self.thread.target = None
        self.thread.scroll_relative(y=pages * max(1, self.thread.size.height - 2), animate=False)

    async def action_back_to_input(self) -> None:
        if self.proof is not None:
            self.proof.stop.set()
        elif self.writing is not None:
            self.writing.set()
        elif self.has_class("-candidates-only") or not self.composer.input.has_focus:
            if self.has_class("-candidates-only"):
                before = self.before_candidates
                await self.action_candidates()
                if before is not None:
                    self.put_back(before)
            self.composer.input.focus()

    async def action_candidates(self) -> None:
        """Open the panel of candidates, or close it and stay with the one that is shown."""
        from textual.widgets import OptionList

        panel = await self.panel()
        panel.display = not panel.display
        self.set_class(panel.display, "-candidates-only")
        (panel.query_one(OptionList) if panel.display else self.composer.input).focus()
        view, conversation = self.shown, self.session.conversation
        self.before_candidates = None
        if panel.display and view is not None and view.answer is not None and conversation is not None:
            self.before_candidates = Before(view, view.answer, conversation.focus)

    def action_help(self) -> None:
        from .help import HelpScreen

        self.app.push_screen(HelpScreen())

    def action_browse(self) -> None:
        from .browse import BrowseScreen

        if self.session.conversation is None:
            self.chat.tell("ui_opening")
            return

        def take(id: str | None) -> None:
            if id:
                self.submit(Request(id))

        self.app.push_screen(BrowseScreen(), take)

    def action_copy(self, what: str) -> None:
        """Copy the `answer` on show, or the entry's `fix` or script (`repro`)."""
        view = self.shown
        conversation = self.session.conversation
        match = conversation.focus if conversation else None
        text = ""
        if what == "answer":
            text = view.markdown if view else ""
        elif match is not None and what == "fix":
            text = match.pitfall.fix[view.answer.lang if view and view.answer else self.lang]
        elif match is not None and match.pitfall.repro:
            try:
                text = read_script(match.pitfall.repro)
            except UsageError as error:
                self.chat.say_error(error)
                return
        self.chat.copy(text, phrase(f"ui_copied_{what}", self.lang))
