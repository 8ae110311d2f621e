"""What the chat needs of an Assistant. A test can hand in a small stand-in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer, Rewritten
    from torchwhy.answers.evidence import Question
    from torchwhy.knowledge.entry import Pitfall
    from torchwhy.knowledge.facts import Facts
    from torchwhy.retrieval.matcher import Matcher
    from torchwhy.retrieval.store import Store


class Backend(Protocol):
    """The part of `Assistant` that a conversation uses."""

    lang: str
    store: Store
    matcher: Matcher

    def ask(
        self,
        text: Question,
        *,
        lang: str | None = None,
        facts: Facts | None = None,
        source: bool | None = None,
    ) -> Answer:
        """Answer a text that was read before; `source`: the files that it names may be read."""
        ...

    def pitfall(self, id: str) -> Pitfall:
        """The entry of this id, renamed ids included. Raises UsageError."""
        ...

    def machine(self, *, python: str | None = None, paste: str | None = None, full: bool = False) -> Facts:
        """This machine's facts."""
        ...

    def last_failure(self) -> str:
        """The error of the last run that failed, as a text; "" where none is kept."""
        ...

    def rewrite(
        self, answer: Answer, question: str = "", *, cancelled: Callable[[], bool] | None = None
    ) -> Rewritten:
        """The answer in a model's words."""
        ...
