"""One thing that the user said: digested where it is a big log, and parsed once, when that is needed."""

from __future__ import annotations

from functools import cached_property

from torchwhy.answers.evidence import Question, read_question
from torchwhy.paste.paste import Found
from torchwhy.paste.reading import shortened
from torchwhy.text.plain import plain

from . import intents
from .intents import Intent


class Message:
    """What was said. `text` is the digest of a long one."""

    def __init__(self, text: str) -> None:
        self.text = shortened(text)

    @cached_property
    def plain(self) -> str:
        """The text without escapes and control characters."""
        return plain(self.text).strip()

    @cached_property
    def intent(self) -> Intent | None:
        """What a follow-up asks for; None where it is none."""
        return None if self.question.paste.foreign else intents.read(self.plain)

    @cached_property
    def question(self) -> Question:
        """The parsed text."""
        return read_question(self.text)

    @property
    def root(self) -> Found | None:
        """The error that leads, or None where the text holds none."""
        return self.question.paste.root
