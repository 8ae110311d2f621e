"""What stands in the thread: what the user said, and answers as sections. Foreign text is shown literally."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import Markdown, Static

from assistant.answer import Answer
from assistant.replies import Section
from assistant.words import word

from .literal import FOLD, LINES, cleaned, literal, size


class Said(Static, can_focus=True):
    """A message of the user; a long one is folded to its first line."""

    folded: reactive[bool] = reactive(True, init=False)

    def __init__(self, text: str, lang: str) -> None:
        super().__init__("", markup=False, classes="said")
        self.text, self.lang = text, lang
        self.lines = text.count("\n") + 1

    def on_mount(self) -> None:
        self.watch_folded(True)

    def watch_folded(self, folded: bool) -> None:
        if self.lines <= FOLD and len(self.text) < 4000:
            self.update(literal(cleaned(self.text).strip()))
        elif folded:
            first = next((line.strip() for line in cleaned(self.text, 20000).split("\n") if line.strip()), "")
            about = word("ui_folded", self.lang, lines=str(self.lines), size=size(self.text))
            self.update(literal(f"▸ {first[:200]}\n").append(literal(about, "dim")))
        else:
            lines = cleaned(self.text).split("\n")
            shown = "\n".join(lines[:LINES])
            more = word("ui_cut", self.lang, lines=str(self.lines - LINES)) if self.lines > LINES else ""
            self.update(literal(f"▾ {shown}\n").append(literal(more, "dim")))

    def on_click(self) -> None:
        self.folded = not self.folded

    def on_key(self, event: events.Key) -> None:
        if event.key in ("enter", "space"):
            event.stop()
            self.folded = not self.folded


class SectionView(Vertical):
    """One section of a reply: its title, and its body as Markdown with highlighted code."""

    def __init__(self, section: Section) -> None:
        super().__init__(classes=f"section {section.kind}")
        self.section = section

    def compose(self) -> ComposeResult:
        if self.section.title:
            yield Static(literal(self.section.title), markup=False, classes="section-title")
        if self.section.body:
            yield Markdown(self.section.body, open_links=False)


class AnswerView(Vertical):
    """An answer as sections. Setting `answer` shows another one in its place."""

    answer: reactive[Answer | None] = reactive(None, init=False)

    def __init__(self, answer: Answer) -> None:
        super().__init__(classes="answer")
        self.set_reactive(AnswerView.answer, answer)

    def compose(self) -> ComposeResult:
        yield from self._views()

    def _views(self) -> list[SectionView]:
        reply = self.answer.reply if self.answer else None
        return [SectionView(section) for section in (reply.sections if reply else ())]

    async def watch_answer(self) -> None:
        with self.app.batch_update():  # one frame: the old sections give way to the new ones without a flicker
            await self.remove_children()
            await self.mount_all(self._views())

    @property
    def markdown(self) -> str:
        return self.answer.reply.markdown if self.answer and self.answer.reply else ""
