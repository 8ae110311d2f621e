"""Intents and what answers them: every rule reads its own examples, every intent has a handler and every handler an intent."""

from __future__ import annotations

import re
from typing import get_type_hints

import pytest

from torchwhy import Assistant
from torchwhy.chat.conversation import Conversation
from torchwhy.chat.handlers import HANDLERS, MAY_BEGIN, NEED_NO_TOPIC
from torchwhy.chat.intent_rules import GUESSES, RULES, WHAT_IFS
from torchwhy.chat.intents import expanded, intent_names, read, trimmed, without_trailing_words

EXAMPLES = [
    (intent, example, alternative)
    for intent, alternatives in (*RULES, ("guess", GUESSES), ("what_if", WHAT_IFS))
    for example, alternative in alternatives.items()
]


def test_every_intent_has_a_handler_and_every_handler_an_intent() -> None:
    assert set(HANDLERS) == intent_names()
    assert intent_names() >= NEED_NO_TOPIC | MAY_BEGIN


def test_handlers_are_plain_functions_of_one_form() -> None:
    for intent, handler in HANDLERS.items():
        hints = [hint.__name__ for hint in get_type_hints(handler).values()]
        assert hints == ["Thread", "str", "str", "Answer"], intent


@pytest.mark.parametrize(("intent", "example", "alternative"), EXAMPLES, ids=[row[1] for row in EXAMPLES])
def test_an_alternative_reads_its_example(intent: str, example: str, alternative: str) -> None:
    pattern = re.compile(expanded(alternative), re.IGNORECASE)
    assert any(
        pattern.fullmatch(sentence) for sentence in (trimmed(example), without_trailing_words(example))
    ), f"{alternative!r} does not read its own example {example!r}"
    understood = read(example)
    assert understood is not None
    assert understood.name == intent


LINEAR = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (16x1568 and 2048x10)"


@pytest.mark.parametrize(
    ("paste", "asked", "leads"),
    [
        (LINEAR, "how do I fix it in my code? my images are 28x28", "Usual fix"),
        (LINEAR, "what number should in_features be", "Usual fix"),
        (f"运行时报错：\n{LINEAR}", "in_features 应该填多少", "通常改法"),
        (f"运行时报错：\n{LINEAR}", "那该怎么改？我的图片是 28x28 的", "通常改法"),
    ],
)
def test_a_fix_has_the_numbers_of_the_message(real: Assistant, paste: str, asked: str, leads: str) -> None:
    talk = Conversation(real)
    talk.say(paste)
    reply = talk.say(asked).reply
    assert reply is not None and reply.intent == "fix" and reply.found
    assert leads in reply.markdown.partition("1568")[0] and "1568" in reply.markdown


def test_a_second_question_is_not_swallowed() -> None:
    assert read("why? and does it also happen on a GPU?") is None
