"""What a follow-up asks for, read by rules in English and Chinese.

Only whole sentences count: "how do I fix it" is a follow-up, "how do I fix a nan loss" is a question of its
own and is left to the ranking.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from .intent_rules import (
    GUESSES,
    IT,
    LEADING_WORDS,
    ORDINAL,
    ORDINAL_NUMBERS,
    POINTING,
    RULES,
    THE,
    TRAILING_TOO,
    TRAILING_WORDS,
    WHAT_IFS,
)

MAX_SENTENCE_CHARS = 240  # what is longer was not said in passing
MAX_LINE_BREAKS = 2
PICK = "pick"  # the intent of "the second one", which `ORDINAL` reads
OF_THE_ENTRY = frozenset(
    ["why", "fix", "check", "code"]
)  # what a statement behind the question does not change

Rules = list[tuple[str, re.Pattern[str]]]


@dataclass(frozen=True, slots=True)
class Intent:
    """One follow-up. `about`: what it is about, where the sentence names something ("" else)."""

    name: str
    about: str = ""


def expanded(alternative: str) -> str:
    """A pattern with `{IT}` and `{THE}` filled in."""
    return alternative.replace("{IT}", IT).replace("{THE}", THE)


def intent_names() -> frozenset[str]:
    """Every intent that `read` can return."""
    return frozenset([*(name for name, _ in RULES), "guess", "what_if", PICK])


@lru_cache(maxsize=1)
def _compiled() -> tuple[Rules, Rules]:
    """The rules, and those that name something. Compiled with the first sentence: it takes 40 ms."""

    def compiled(alternatives: Mapping[str, str]) -> re.Pattern[str]:
        return re.compile("|".join(map(expanded, alternatives.values())), re.IGNORECASE)

    naming = [
        (name, re.compile(expanded(alternative), re.IGNORECASE))
        for name, alternatives in (("guess", GUESSES), ("what_if", WHAT_IFS))
        for alternative in alternatives.values()
    ]
    return [(name, compiled(alternatives)) for name, alternatives in RULES], naming


def without_trailing_words(text: str) -> str:
    """The text on one line, without the signs and little words behind it."""
    return TRAILING_WORDS.sub("", " ".join(text.split()))


def trimmed(text: str) -> str:
    """The sentence without the little words around it."""
    text = " ".join(text.replace("’", "'").split())
    text = without_trailing_words(text) or text
    return LEADING_WORDS.sub("", text) or text


def read(text: str) -> Intent | None:
    """What `text` asks of the thread, or None where no rule knows the sentence."""
    if len(text) > MAX_SENTENCE_CHARS or text.strip().count("\n") > MAX_LINE_BREAKS:
        return None
    return _read_sentence(text) or _read_question(text)


def _read_question(text: str) -> Intent | None:
    """The question that opens a text, where a statement follows: "how do I fix it? my images are 28x28"."""
    asked, mark, stated = text.replace("？", "?").partition("?")
    if not mark or not stated.strip() or "?" in stated:
        return None
    intent = _read_sentence(asked)
    return intent if intent and intent.name in OF_THE_ENTRY else None


def _read_sentence(text: str) -> Intent | None:
    sentence = trimmed(text)
    rules, naming = _compiled()
    for candidate in dict.fromkeys((sentence, without_trailing_words(text))):
        for name, pattern in rules:
            found = pattern.fullmatch(candidate)
            if found:
                return Intent(name, next((value for value in found.groupdict().values() if value), ""))
    ordinal = ORDINAL.fullmatch(sentence)
    if ordinal:
        return Intent(PICK, str(ORDINAL_NUMBERS[(ordinal["n"] or ordinal["z"]).lower()]))
    for name, pattern in naming:
        found = pattern.fullmatch(sentence)
        if found:
            return Intent(name, TRAILING_TOO.sub("", found["about"].strip(" ,，")))
    return None


def points_back(text: str) -> bool:
    """Whether the sentence leans on something said before ("does it ...", "这样 ...")."""
    return POINTING.search(text) is not None
