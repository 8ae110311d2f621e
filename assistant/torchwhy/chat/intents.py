"""What a follow-up asks for: the intent of the example sentences that it is most like.

The examples stand in followups.en.txt and followups.zh.txt. A sentence is scored by naive Bayes over its
words, pairs of words and pieces of longer words. One that is not clearly like any intent, or most like a
problem of its own, is no follow-up and is left to the ranking. The first sentence in a language learns its
examples, which takes 45 ms.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from torchwhy.text.language import HAN

MAX_SENTENCE_CHARS = 120  # what is longer was not said in passing
MAX_LINE_BREAKS = 2
MIN_PROBABILITY = 0.8  # below it a sentence is not read as a follow-up
SHARPNESS = 3.0  # of the probabilities; a score is a mean over the sentence's features
ALPHA = 0.2  # what a feature counts for that an intent's examples never show
UNSEEN = 0.5  # how often a feature counts as seen that no example shows
PIECE_CHARS = 4  # of the pieces of longer words: "crashes" is like "crashed"
MAX_NAMED_WORDS = 4
NEW = "new"  # of a problem of its own
PICK = "pick"  # the intent of "the second one", which `ordinal` reads
SPEAKING_OF = frozenset(["guess", "what_if"])  # intents that are always about something
OF_THE_ENTRY = frozenset(["why", "fix", "check", "code"])  # a statement behind the question changes nothing
NAMED = "§"  # stands in an example for what it speaks of

_NAMED = re.compile(r"\{(.+?)\}")
_RELEASE = re.compile(r"\d+\.\d+(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:\.\d+)*(?:\+\w+)?")
_WORD = re.compile(r"[a-z_][\w']*|[\u3400-\u9fff]|[0§]")
# Words before a sentence that ask nothing: "ok, so show me the code", "那怎么解决".
_LEADING = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|but|hm+|well|please|oh|ah|then|sorry|also|actually|just"
    r"|can you|could you)\b[,.! ]*(?=\w)|(?:那么|那就|那|嗯|请问|请|麻烦|所以|但是|不过|然后|可是)"
    r"[，, ]*(?=\S))+"
)
_TRAILING = re.compile(r"(?:[\s?？!！.。~…,，]|\b(?:please|then|though|exactly|anyway|too|as well|also)\b)+$")
# "the second one", "第二个": a candidate by its number.
_ORDINAL_WORDS = "first 1st 一;second 2nd 二 两;third 3rd 三;fourth 4th 四;fifth 5th 五"
_ORDINAL_NUMBERS = {
    word: number for number, words in enumerate(_ORDINAL_WORDS.split(";"), 1) for word in words.split()
}
_ORDINAL = re.compile(
    r"(?:(?:what|how) about |show me |show |try |tell me about |take |open |it's |let's look at )?"
    r"(?:the |number |no\. ?|#|candidate |option |answer )*"
    r"(?P<n>first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th|[1-9])(?: one| candidate)?"
    r"|(?:(?:看看?|选|说说|是)?第?|换第)(?P<z>[一二三四五两1-9]) ?[个项种](?:呢|怎么样|吧|候选)?"
)
# Words that lean on what was said before.
POINTING = re.compile(
    r"\b(?:it|its|this|that|these|those|them|they|the fix|the error|the entry)\b|[它这那]|该问题|上面|刚才",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Intent:
    """One follow-up. `about`: what it is about, where the sentence names something ("" else); `exact`:
    whether it is one of the examples, word for word.
    """

    name: str
    about: str = ""
    exact: bool = False


def read(text: str) -> Intent | None:
    """What `text` asks of the thread; None for what is no follow-up."""
    if len(text) > MAX_SENTENCE_CHARS or text.strip().count("\n") > MAX_LINE_BREAKS:
        return None
    asked, mark, stated = text.replace("？", "?").partition("?")
    if not mark or not stated.strip():
        return _read_sentence(text)
    if "?" in stated:
        return None
    intent = _read_sentence(asked)  # "how do I fix it? my images are 28x28"
    return intent if intent and intent.name in OF_THE_ENTRY else None


def _read_sentence(text: str) -> Intent | None:
    sentence = trimmed(text)
    number = ordinal(sentence)
    if number is not None:
        return Intent(PICK, str(number), exact=True)
    return examples("zh" if HAN.search(sentence) else "en").read(sentence)


def ordinal(sentence: str) -> int | None:
    """The number, from 1, of what is picked from a list; None where the sentence picks nothing."""
    found = _ORDINAL.fullmatch(sentence.lower())
    if found is None:
        return None
    word = found["n"] or found["z"]
    return int(word) if word.isdigit() else _ORDINAL_NUMBERS[word]


def trimmed(text: str) -> str:
    """The sentence without the signs and little words around it."""
    text = " ".join(text.replace("’", "'").split())
    text = text[: len(text) - len((_TRAILING.search(text.lower()) or [""])[0])] or text
    return text[len((_LEADING.search(text.lower()) or [""])[0]) :] or text


def points_back(text: str) -> bool:
    """Whether the sentence leans on something said before ("does it ...", "这样 ...")."""
    return POINTING.search(text) is not None


def rows(lang: str) -> Iterator[tuple[str, str]]:
    """(intent, example sentence) of a language's file."""
    intent = ""
    text = Path(__file__).with_name(f"followups.{lang}.txt").read_text("utf-8")
    for line in text.splitlines():
        if line.startswith("== "):
            intent = line[3:]
        elif line and intent:
            yield intent, line


@cache
def examples(lang: str) -> Examples:
    """What the examples of a language teach."""
    return Examples(rows(lang))


def intent_names() -> frozenset[str]:
    """Every intent that `read` can return."""
    return frozenset(intent for lang in ("en", "zh") for intent, _ in rows(lang)) - {NEW} | {PICK}


class Examples:
    """Example sentences, and what tells one intent's from another's."""

    def __init__(self, said: Iterable[tuple[str, str]]) -> None:
        self.frames: dict[tuple[str, str], str] = {}  # what stands before and after the named thing: intent
        self.exact: dict[str, str] = {}
        taught: list[tuple[str, set[str]]] = []
        of_follow_ups: Counter[str] = Counter()  # how much more often a word stands outside braces
        for intent, example in said:
            sentence = trimmed(_NAMED.sub(NAMED, example)).lower()
            before, named, after = sentence.partition(NAMED)
            if named:
                self.frames[before, after] = intent
            shape = shaped(sentence)
            self.exact.setdefault(shape, intent)
            taught.append((intent, features(shape)))
            if intent != NEW:
                of_follow_ups.update(shape.split())
                of_follow_ups.subtract(shaped(" ".join(_NAMED.findall(example))).split())
        spread = Counter(feature for _, shown in taught for feature in shown)
        self.idf = {feature: math.log(1 + len(taught) / count) for feature, count in spread.items()}
        self.unseen = math.log(1 + len(taught) / UNSEEN)
        self.everyday = {word for word, more in of_follow_ups.items() if more > 0}
        sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        totals: dict[str, float] = defaultdict(float)
        for intent, shown in taught:
            for feature, weight in self.weighed(shown).items():
                sums[feature][intent] += weight
                totals[intent] += weight
        self.sizes = {intent: math.log(total + ALPHA * len(sums)) for intent, total in totals.items()}
        self.weights = {
            feature: {intent: math.log1p(weight / ALPHA) for intent, weight in of_intent.items()}
            for feature, of_intent in sums.items()
        }

    def weighed(self, shown: set[str]) -> dict[str, float]:
        """Features by rarity, of length one. What no example shows takes its part and speaks for nothing."""
        length = math.sqrt(sum(self.idf.get(feature, self.unseen) ** 2 for feature in shown)) or 1.0
        return {feature: self.idf[feature] / length for feature in shown if feature in self.idf}

    def read(self, sentence: str) -> Intent | None:
        """The intent of a trimmed sentence, with what it speaks of."""
        before, about, after = self.named(sentence)
        shape = shaped(before + NAMED + after if about else sentence)
        intent = self.exact.get(shaped(sentence)) or self.exact.get(shape)
        exact = intent is not None
        if intent is None:
            intent, probability = self.likeliest(shape)
            if probability < MIN_PROBABILITY:
                return None
        if intent == NEW:
            return None
        if intent == "release":
            return Intent(intent, (_RELEASE.search(sentence) or [""])[0], exact)
        if intent in SPEAKING_OF:
            return Intent(intent, about or sentence, exact)
        return Intent(intent, about if intent == "which" else "", exact)

    def named(self, sentence: str) -> tuple[str, str, str]:
        """What stands before the thing that is spoken of, the thing ("" where there is none), what follows.

        The longest of the examples' frames that fits; the thing holds a word that follow-ups are not made of.
        """
        fitting = [
            (before, sentence[len(before) : len(sentence) - len(after)].strip(" ,，"), after)
            for before, after in self.frames
            if sentence.lower().startswith(before) and sentence.lower().endswith(after)
        ]
        things = [
            (before, about, after)
            for before, about, after in fitting
            if len(about.split()) <= MAX_NAMED_WORDS and not self.everyday.issuperset(shaped(about).split())
        ]
        return max(things, key=lambda frame: len(frame[0] + frame[2]), default=(sentence, "", ""))

    def likeliest(self, shape: str) -> tuple[str, float]:
        """The intent that a sentence is most like, and how clearly, 0..1."""
        known = self.weighed(features(shape))
        mass = sum(known.values())
        scores = {intent: -mass * size for intent, size in self.sizes.items()}
        for feature, share in known.items():
            for intent, weight in self.weights[feature].items():
                scores[intent] += share * weight
        best = max(scores, key=lambda intent: scores[intent])
        return best, 1 / sum(math.exp(SHARPNESS * (score - scores[best])) for score in scores.values())


def shaped(sentence: str) -> str:
    """What is compared of a sentence: its words, every number alike."""
    return " ".join(_WORD.findall(_NUMBER.sub("0", sentence.lower())))


def features(shape: str) -> set[str]:
    """Words (Chinese: characters), pairs of neighbours, pieces of longer words."""
    words = shape.split()
    pairs = zip(["^", *words], [*words, "$"], strict=True)
    pieces = (
        f"#{word[at : at + PIECE_CHARS]}"
        for word in (f"<{word}>" for word in words if len(word) >= PIECE_CHARS)
        for at in range(len(word) - PIECE_CHARS + 1)
    )
    return {*words, *map(" ".join, pairs), *pieces}
