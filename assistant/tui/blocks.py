"""Answers as sections. Imported with the first answer: the Markdown widget is a fifth of the start-up."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import Markdown, Static

from assistant.answer import Answer
from assistant.replies import Section

from .literal import literal


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
