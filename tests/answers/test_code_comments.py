"""Comments in the code of changes, in the language of the screen."""

from __future__ import annotations

import re

from tests.support.shipped import knowledge
from torchwhy.answers.code_comments import BEFORE_COMMENT, commented, comments
from torchwhy.api import Assistant

WORD = re.compile(
    r"(?<![\w.])(?:the|an?|of|or|not?|with|without|when|where|before|after|one|each|every)(?= )"
)


def written() -> list[str]:
    entries = knowledge().pitfalls.values()
    changes = [
        *(each for entry in entries for each in entry.change),
        *(each for entry in entries for signature in entry.signatures for each in signature.change),
    ]
    lines = [line for each in changes for line in (each.code or "").split("\n")]
    return [line[before.end() :] for line in lines if (before := BEFORE_COMMENT.match(line))]


def test_every_translated_comment_stands_in_an_entry() -> None:
    assert not comments().keys() - {*written()}


def test_every_comment_in_words_is_translated() -> None:
    assert not [each for each in written() if WORD.search(each) and each not in comments()]


def test_a_chinese_screen_has_a_chinese_comment(assistant: Assistant) -> None:
    text = "TypeError: ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'"
    code = {
        lang: change.code
        for lang in ("en", "zh")
        if (change := assistant.ask(text, lang=lang).change) is not None
    }
    assert code["en"].endswith("   # once per epoch, after the validation")
    assert code["zh"] == code["en"].replace(
        "once per epoch, after the validation", "每个 epoch 一次，在验证之后"
    )


def test_what_is_no_comment_of_ours_stays() -> None:
    assert commented('x = "a   # b"') == 'x = "a   # b"'
    assert commented("y = x   # your own") == "y = x   # your own"
