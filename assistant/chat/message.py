"""One thing that the user said: digested where it is a big log, and parsed once, when that is needed."""

from __future__ import annotations

import io
from functools import cached_property

from assistant.answers.question import Question, read_question
from assistant.paste.paste import Found
from assistant.paste.reading import read_text
from assistant.text.plain import plain

from . import intents
from .intents import Intent

MAX_WHOLE_CHARS = 1 << 20  # a longer text is digested, as a file of that size would be


class Message:
    """What was said. `text` is the digest of a text that is longer than MAX_WHOLE_CHARS."""

    def __init__(self, text: str) -> None:
        if len(text) > MAX_WHOLE_CHARS:
            text = read_text(io.BytesIO(text.encode("utf-8", "replace")))
        self.text = text

    @cached_property
    def plain(self) -> str:
        """The text without escapes and control characters."""
        return plain(self.text).strip()

    @cached_property
    def intent(self) -> Intent | None:
        """What a follow-up asks for; None where no rule knows the sentence."""
        return intents.read(self.plain)

    @cached_property
    def question(self) -> Question:
        """The parsed text."""
        return read_question(self.text)

    @property
    def root(self) -> Found | None:
        """The error that leads, or None where the text holds none."""
        return self.question.paste.root
