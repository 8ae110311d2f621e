"""Answers as sections. Imported with the first answer: the Markdown widget is a fifth of the start-up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.reactive import reactive
from textual.widgets import Static

from torchwhy.answers.answer import Answer, Section
from torchwhy.text.phrases import phrase

from .literal import literal
from .prose import Prose

if TYPE_CHECKING:
    from torchwhy.answers.answer import Rewritten


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
    """An answer as sections. Setting `answer` shows another one in its place.

    `rewritten` is what a model made of it, shown while `in_other_words`; `waiting` is said above while a
    model is asked.
    """

    answer: reactive[Answer | None] = reactive(None, init=False)
    in_other_words: reactive[bool] = reactive(False, init=False)
    waiting: reactive[str] = reactive("", init=False)
    rewritten: Rewritten | None = None

    def __init__(self, answer: Answer) -> None:
        super().__init__(classes="answer")
        self.set_reactive(AnswerView.answer, answer)

    def compose(self) -> ComposeResult:
        yield from self._views()

    @property
    def sections(self) -> tuple[Section, ...]:
        """The plain answer, or the model's words under their mark with what stays torchwhy's own."""
        answer = self.answer
        plain = answer.reply.sections if answer and answer.reply else ()
        if answer is None or self.rewritten is None or not self.in_other_words:
            return plain
        mark = Section(
            "mark", "", f"> {self.rewritten.mark(answer.lang)} {phrase('rewritten_key', answer.lang)}"
        )
        kept = [section for section in plain if section.kind in ("sources", "prove", "noproof")]
        return (mark, Section("rewritten", "", self.rewritten.text), *kept)

    def _views(self) -> list[SectionView]:
        return [SectionView(section) for section in self.sections]

    async def watch_answer(self) -> None:
        self.rewritten = None
        self.set_reactive(AnswerView.in_other_words, False)
        await self._show()

    async def watch_in_other_words(self) -> None:
        await self._show()

    async def _show(self) -> None:
        # One frame: the old sections give way to the new ones without a flicker.
        with self.app.batch_update():
            await self.remove_children(SectionView)
            await self.mount_all(self._views())

    async def watch_waiting(self, text: str) -> None:
        await self.remove_children(".waiting")
        if text:
            await self.mount(Static(literal(text), markup=False, classes="waiting"), before=0)

    @property
    def markdown(self) -> str:
        """What is on show, as Markdown."""
        return "\n\n".join(section.markdown for section in self.sections) + "\n" if self.sections else ""
