"""Intents and what answers them: every example is read, every intent has a handler and every handler an intent."""

from __future__ import annotations

from typing import get_type_hints

import pytest
import yaml

from tests.support.fixture_kb import FIXTURES
from torchwhy import Assistant
from torchwhy.chat.conversation import Conversation
from torchwhy.chat.handlers import HANDLERS, MAY_BEGIN, NEED_NO_TOPIC
from torchwhy.chat.intents import NEW, intent_names, read, rows

EXAMPLES = [(intent, example) for lang in ("en", "zh") for intent, example in rows(lang)]
# Of the unseen sentences, in each language: the least that are read right, and the most that are read wrong.
MIN_RIGHT, MAX_WRONG = 0.7, 0.08


def test_every_intent_has_a_handler_and_every_handler_an_intent() -> None:
    assert set(HANDLERS) == intent_names()
    assert intent_names() >= NEED_NO_TOPIC | MAY_BEGIN


def test_handlers_are_plain_functions_of_one_form() -> None:
    for intent, handler in HANDLERS.items():
        hints = [hint.__name__ for hint in get_type_hints(handler).values()]
        assert hints == ["Thread", "str", "str", "Answer"], intent


def name_of(text: str) -> str:
    intent = read(text)
    return intent.name if intent else NEW


def test_an_example_is_read_as_its_intent() -> None:
    """Where two intents shared a sentence, one of them would never be read."""
    read_as = {example: name_of(example.replace("{", "").replace("}", "")) for _, example in EXAMPLES}
    assert not [(intent, example) for intent, example in EXAMPLES if read_as[example] != intent]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_sentences_that_no_example_says(lang: str) -> None:
    said = yaml.safe_load((FIXTURES / "said.yaml").read_text("utf-8"))[lang]
    seen = [
        (intent, got.name if (got := read(text)) else NEW) for intent, texts in said.items() for text in texts
    ]
    asked = [(intent, got) for intent, got in seen if intent != NEW]
    wrong = [(intent, got) for intent, got in asked if got not in (intent, NEW)]
    swallowed = [got for intent, got in seen if intent == NEW and got != NEW]
    assert len(asked) == 120 and len(seen) == 150
    assert sum(intent == got for intent, got in asked) >= MIN_RIGHT * len(asked)
    assert len(wrong) <= MAX_WRONG * len(asked), wrong
    assert len(swallowed) <= 1, swallowed


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
