"""Which of the causes that an entry lists is nearest to a text: by the words that it shares with that one.

A word counts by how rare it is in the knowledge base and in the list; one of the entry's title says nothing
of one cause, one of what an item begins with counts double. No model is asked: within an entry its vectors
told causes apart no better, and a settled answer has none.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable

from torchwhy.knowledge.entry import Pitfall
from torchwhy.retrieval.tokens import all_tokens
from torchwhy.text.width import first_sentence

MIN_MARGIN = 1.5  # by which the first must stand above the second, chosen on texts beside the kept ones
HEAD_WEIGHT = 2
UNSEEN_DOCUMENTS = 0.5  # document frequency of a word that no entry uses
ITEM = r"(?m)^(?:[-*]|\d+\.) ((?:.|\n(?=  ))+)"
HEAD = r"[^:;,.(：；，。（]*"


def branches(cause: str) -> list[str]:
    """The items of the list in a cause, each on one line; none where it has no list."""
    items = [" ".join(item.split()) for item in re.findall(ITEM, cause)]
    return items if len(items) > 1 else []


def closest(
    entry: Pitfall, text: str, lang: str, entries_with: Callable[[str], int], count: int
) -> int | None:
    """The number of the cause that stands clear of the others; None where none does, or the entry lists none.

    `entries_with`: in how many of the `count` entries a word stands.
    """
    items = [item.replace("**", "") for item in branches(entry.cause[lang])]
    if not items:
        return None
    asked = {*all_tokens(text)} - {*all_tokens(entry.title[lang])}
    held = [asked.intersection(all_tokens(item)) for item in items]
    spread = Counter(word for words in held for word in words)
    worth = {
        word: math.log(1 + count / (entries_with(word) or UNSEEN_DOCUMENTS))
        * math.log((len(items) + 0.5) / of)
        for word, of in spread.items()
    }
    scores = []
    for number, (item, words) in enumerate(zip(items, held, strict=True)):
        head = {*all_tokens(re.match(HEAD, item)[0])}  # type: ignore[index]
        total = sum(worth[word] * (HEAD_WEIGHT if word in head else 1) for word in words)
        scores.append((total / math.sqrt(len({*all_tokens(item)}) or 1), number))
    (second, _), (first, number) = sorted(scores)[-2:]
    return number if first - second >= MIN_MARGIN else None


def sentence(item: str) -> str:
    """What an item says, as one sentence."""
    item = item.replace("**", "")
    return first_sentence(item) or item.rstrip(";；")
