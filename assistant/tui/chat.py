"""The chat itself: the thread, the input, the candidates, the keys. What asks, proves and keeps are its base classes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.events import Paste
from textual.reactive import reactive
from textual.widgets import Footer, Static

from assistant.words import word

from .composer import Composer
from .literal import literal
from .rewriting import Rewriting
from .thread import Thread

if TYPE_CHECKING:
    from .candidates import Candidates


class StatusLine(Static):
    """The first line: where things stand."""

    state: reactive[str] = reactive("")

    def watch_state(self, state: str) -> None:
        self.update(literal("torchwhy", "bold").append(literal(f"  {state}", "dim")))


class ChatScreen(Rewriting):
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
        Binding("f11", "machine", "ui_key_machine", show=False),
        Binding("ctrl+o", "rewrite", "ui_key_rewrite", show=False, priority=True),
        Binding("ctrl+n", "new_chat", "ui_key_new_chat", show=False, priority=True),
        Binding("ctrl+s", "export", "ui_key_export", show=False, priority=True),
        Binding("escape", "back_to_input", show=False),
        Binding("pageup", "scroll(-1)", show=False, priority=True),
        Binding("pagedown", "scroll(1)", show=False, priority=True),
    ]

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

    def on_paste(self, event: Paste) -> None:
        """Wherever the focus is, what is pasted goes to the input (which lets no paste of its own come up here)."""
        event.stop()
        self.composer.input.focus()
        self.composer.input.post_message(Paste(event.text))

    def on_candidates_picked(self, message: Candidates.Picked) -> None:
        if self.shown is not None and (self.shown.answer is None or self.shown.answer.match is None or self.shown.answer.match.id != message.id):
            self.choose(message.id, self.shown)

    # -- keys -------------------------------------------------------------------------------------------------------

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

    def action_machine(self) -> None:
        """As if it were said: the machine's facts, and what they say of the entry at hand."""
        self.submit("看看我的机器" if self.lang == "zh" else "check my machine")

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
