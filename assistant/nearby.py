"""Finding the passage that speaks of something: in an entry, in its neighbours, in the whole knowledge base.

A passage counts only if it holds most of what was asked for, rare words weighing more than common ones. So a word that
the knowledge base never uses finds nothing, and that is said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from . import lexical
from .glossary import translate
from .normalise import stem, tokens
from .replies import FIELDS, blocks
from .store import Store
from .types import Pitfall

ENOUGH = 0.7  # share of the weight of what was asked that a passage, and its entry, must hold
SHORT_FORMS = {
    "ddp": "distributeddataparallel", "dp": "dataparallel", "amp": "autocast mixed precision", "bs": "batch size", "lr": "learning rate", "oom": "out of memory",
    "fp16": "float16 half", "bf16": "bfloat16", "fp32": "float32", "bn": "batchnorm", "ckpt": "checkpoint", "fsdp": "fullyshardeddataparallel",
}  # fmt: skip
SAID_IN_PASSING = frozenset(
    [stem(said) for said in ["find", "found", "debug", "check", "test", "example", "everywhere", "already", "lower", "higher", "increase", "decrease", "reduce", "larger", "smaller", "bigger", "long", "take", "put", "place", "say", "again", "version", "release", "code", "let", "know", "see", "look", "first", "next", "other", "way", "easy", "best", "better", "simple", "quick", "new", "now", "ever", "always", "often", "where", "when", "while", "give", "make", "made", "need", "does", "please", "pytorch", "torch", "program", "script", "common", "possible", "question", "answer", "line", "work"]]
    + ["use", "us", "try", "set", "add", "run", "switch", "want", "need", "happen", "about", "problem", "cause", "caus", "reason", "because", "issu", "instead", "go", "like", "work", "fix", "newer", "new", "old", "larg", "big", "small", "too", "more", "less", "much", "realli", "mak", "mean", "tell", "show", "why", "who", "where", "should", "thing", "other", "fault", "the", "you", "your", "also", "still", "only", "true", "wrong", "right"]
    + ["问题", "是不", "不是", "什么", "怎么", "为什", "因为", "可以", "如果", "使用", "我用", "我的", "这个", "那个", "会不", "是否", "有没", "没有", "需要", "应该", "多少", "一个", "一下"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph of an entry that speaks of what was asked. `field`: why, fix or check; `share` how much of it."""

    entry: Pitfall
    field: str
    text: str
    share: float


Term = tuple[tuple[str, ...], ...]  # ways to write one thing, each the tokens that must all be there


def readings(about: str) -> list[list[Term]]:
    """What is looked for: its terms as they were said and, for Chinese, as their English ones."""
    result = []
    for way in (about, translate(about)):
        terms: list[Term] = []
        for token in dict.fromkeys(tokens(way)):
            if token not in SAID_IN_PASSING and len(token) > 1:
                full = tuple(tokens(SHORT_FORMS.get(token, "")))
                terms.append(((token,), full) if full else ((token,),))
        if terms:
            result.append(terms)
    return result


class Nearby:
    """Passages of a store. Document frequencies come from the lexical index."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._rarity: dict[str, float] = {}

    def rarity(self, term: Term) -> float:
        """How much a term tells: log of all entries over those that use it (in its most common form)."""
        return min(max(self._of(token) for token in way) for way in term)

    def _of(self, token: str) -> float:
        if token not in self._rarity:
            self._rarity[token] = math.log(1 + self.store.count / (lexical.spread(self.store, token) or 0.5))
        return self._rarity[token]

    def best(
        self, about: str, entries: Iterable[Pitfall], lang: str, fields: Iterable[str] = FIELDS, enough: float = ENOUGH, floor: float = 0.0
    ) -> Passage | None:
        """The passage of these entries that says most of `about`; earlier entries win ties. None where none says enough.

        `floor`: weight (see `rarity`) that the entry must hold at least: words that stand everywhere prove nothing.
        """
        ways = [(terms, [self.rarity(term) for term in terms]) for terms in readings(about)]
        if not ways:
            return None

        def share(have: set[str]) -> float:
            held = ((sum(w for term, w in zip(terms, weights, strict=True) if _holds(have, term)), sum(weights)) for terms, weights in ways)
            return max(weight / whole if weight >= floor else 0.0 for weight, whole in held)

        found: Passage | None = None
        for entry in entries:
            texts = [(field, text, {*tokens(said), *tokens(translate(said))}) for field, text, said in passages_of(entry, lang, fields)]
            whole = share(set().union(*(have for _, _, have in texts)))
            for field, text, have in texts:
                own = share(have) if whole else 0.0
                mean = (own + whole) / 2  # the rest of what was asked may stand a paragraph away
                if own >= 0.45 and mean >= enough and (found is None or mean > found.share + 0.01):
                    found = Passage(entry, field, text, mean)
        return found

    def elsewhere(self, about: str, lang: str, without: set[str], limit: int = 3, floor: float = 0.0) -> list[Passage]:
        """Passages of other entries that say nearly all of `about`, at most one per entry."""
        whole, _ = lexical.search(self.store, about)
        order = [id for id in sorted(whole, key=lambda id: -whole[id]) if id not in without][:15]
        found = [passage for id in order if (passage := self.best(about, [self.store.pitfall(id)], lang, enough=0.9, floor=floor))]
        return found[:limit]


def _holds(have: set[str], term: Term) -> bool:
    return any(all(token in have for token in way) for way in term)


def passages_of(entry: Pitfall, lang: str, fields: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """(field, paragraph, the same paragraph in both languages) of an entry, in reading order.

    A Chinese question about "batch size" finds 批量 by the English paragraph that stands in the same place.
    """
    other = "en" if lang == "zh" else "zh"
    for field in fields:
        texts, twins = blocks(getattr(entry, FIELDS[field])[lang]), blocks(getattr(entry, FIELDS[field])[other])
        for at, text in enumerate(texts):
            yield field, text, f"{text}\n{twins[at]}" if len(texts) == len(twins) else text
