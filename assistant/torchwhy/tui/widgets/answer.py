"""Answers as sections. Imported with the first answer: the Markdown widget is a fifth of the start-up."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import Static

from torchwhy.answers.answer import Answer, Section

from .literal import literal
from .prose import Prose


class SectionView(Vertical):
    """One section of a reply: its title, and its body as Markdown with highlighted code."""

    def __init__(self, section: Section) -> None:
        super().__init__(classes=f"section {section.kind}")
        self.section = section

    def compose(self) -> ComposeResult:
        if self.section.title:
            yield Static(literal(self.section.title), markup=False, classes="section-title")
        if self.section.body:
            yield Prose(self.section.body)


class AnswerView(Vertical):
    """An answer as sections. Setting `answer` shows another one in its place."""

    answer: reactive[Answer | None] = reactive(None, init=False)

    def __init__(self, answer: Answer) -> None:
        super().__init__(classes="answer")
        self.set_reactive(AnswerView.answer, answer)

    def compose(self) -> ComposeResult:
        yield from self._views()

    @property
    def sections(self) -> tuple[Section, ...]:
        answer = self.answer
        return answer.reply.sections if answer and answer.reply else ()

    def _views(self) -> list[SectionView]:
        return [SectionView(section) for section in self.sections]

    async def watch_answer(self) -> None:
        # One frame: the old sections give way to the new ones without a flicker.
        with self.app.batch_update():
            await self.remove_children(SectionView)
            await self.mount_all(self._views())

    @property
    def markdown(self) -> str:
        """What is on show, as Markdown."""
        return "\n\n".join(section.markdown for section in self.sections) + "\n" if self.sections else ""
