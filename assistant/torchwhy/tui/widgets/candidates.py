"""Candidates side by side: how likely each is, what speaks for it, and what decides between the first two."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from torchwhy.answers.answer import Answer, Match
from torchwhy.answers.reasons import percent, reasons
from torchwhy.text.phrases import phrase

from .literal import literal
from .prose import Prose

MAX_SHOWN = 8
BAR_CELLS = 10  # of a probability of 1
MIN_SHOWN_PROBABILITY = 0.005  # below it only the first two are shown


def offered(answer: Answer | None) -> list[Match]:
    """The candidates worth showing."""
    if answer is None:
        return []
    return [
        match
        for at, match in enumerate(answer.candidates)
        if at < 2 or match.probability >= MIN_SHOWN_PROBABILITY
    ][:MAX_SHOWN]


class Candidates(Vertical):
    """The panel. `answer` is the diagnosis whose candidates it lists; moving posts `Picked`."""

    answer: reactive[Answer | None] = reactive(None)
    lang: reactive[str] = reactive("en")

    @dataclass
    class Picked(Message):
        """Another candidate is to be shown."""

        id: str

    class Kept(Message):
        """The one that is shown is to stay."""

    def compose(self) -> ComposeResult:
        yield Static("", id="candidates-title", markup=False)
        yield OptionList(id="candidates-list", markup=False)
        with VerticalScroll(id="candidates-detail", can_focus=False):
            yield Prose()

    def watch_lang(self) -> None:
        self.watch_answer(self.answer)

    def watch_answer(self, answer: Answer | None) -> None:
        self.query_one("#candidates-title", Static).update(literal(phrase("ui_candidates", self.lang)))
        matches = offered(answer)
        options = self.query_one(OptionList)
        options.set_options([Option(_row(match, self.lang), id=match.id) for match in matches])
        at = next(
            (
                at
                for at, match in enumerate(matches)
                if answer and answer.match and match.id == answer.match.id
            ),
            None,
        )
        options.highlighted = at
        self._explain(matches[at or 0] if matches else None)

    def _explain(self, match: Match | None) -> None:
        answer = self.answer
        if match is None or answer is None:
            text = phrase("ui_no_candidates", self.lang)
        else:
            text = f"**{phrase('for', self.lang)}**\n\n" + "\n".join(
                f"- {line}" for line in reasons(match, self.lang)
            )
            pair = offered(answer)[:2]
            if len(pair) == 2 and (answer.rival or answer.match is None):
                checks = "\n\n".join(f"**{other.id}**: {other.pitfall.check[self.lang]}" for other in pair)
                text += f"\n\n**{phrase('ui_decides', self.lang)}**\n\n{checks}"
        self.query_one(Prose).update(text)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        match = next((match for match in offered(self.answer) if match.id == event.option_id), None)
        self._explain(match)
        if match is not None and self.query_one(OptionList).has_focus:  # not when the list was only filled
            self.post_message(self.Picked(match.id))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Kept())


def _row(match: Match, lang: str) -> Content:
    bar = "█" * max(1, round(match.probability * BAR_CELLS))
    return (
        literal(f"{percent(match.probability):>5} {bar}\n")
        .append(literal(f"{match.id}\n", "bold"))
        .append(literal(match.pitfall.title[lang], "dim"))
    )
