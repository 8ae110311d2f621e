"""Finding the excerpt that speaks of something: in an entry, in its neighbours, in the whole knowledge base.

An excerpt counts only if it holds most of what was asked for, rare words weighing more than common ones. So a
word that the knowledge base never uses finds nothing, and the reply says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from torchwhy.answers.answer import FIELDS
from torchwhy.knowledge.entry import Pitfall
from torchwhy.retrieval.glossary import translate
from torchwhy.retrieval.store import Store
from torchwhy.retrieval.tokens import stem, tokens

from .sections import blocks

MIN_SHARE = 0.7  # mean share of the IDF weight of what was asked that an excerpt and its entry must hold
MIN_OWN_SHARE = 0.45  # the share that the excerpt itself must hold
NEARLY_ALL_SHARE = 0.9  # the mean share from which an excerpt says nearly all of it
TIE_SHARE = 0.01  # a later excerpt must hold this much more to take the place of an earlier one
UNSEEN_DOCUMENTS = 0.5  # document frequency that stands for a term which no entry uses
MAX_ENTRIES_TRIED = 15  # of the whole knowledge base, best first by the lexical index
SHORT_FORMS = {
    "ddp": "distributeddataparallel",
    "dp": "dataparallel",
    "amp": "autocast mixed precision",
    "bs": "batch size",
    "lr": "learning rate",
    "oom": "out of memory",
    "fp16": "float16 half",
    "bf16": "bfloat16",
    "fp32": "float32",
    "bn": "batchnorm",
    "ckpt": "checkpoint",
    "fsdp": "fullyshardeddataparallel",
}
# Words that say nothing of what is looked for. English ones as they are said, then stems, then Chinese pairs.
COMMON_WORDS = """
    find found debug check test example everywhere already lower higher increase decrease reduce larger
    smaller bigger long take put place say again version release code let know see look first next other
    way easy best better simple quick new now ever always often where when while give make made need
    does please pytorch torch program script common possible question answer line work
"""
COMMON_STEMS = """
    use us try set add run switch want need happen about problem cause caus reason because issu instead
    go like work fix newer new old larg big small too more less much realli mak mean tell show why who
    where should thing other fault the you your also still only true wrong right
"""
COMMON_PAIRS = """
    问题 是不 不是 什么 怎么 为什 因为 可以 如果 使用 我用 我的 这个 那个 会不 是否 有没
    没有 需要 应该 多少 一个 一下
"""
COMMON_TOKENS = frozenset([*map(stem, COMMON_WORDS.split()), *COMMON_STEMS.split(), *COMMON_PAIRS.split()])


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A paragraph of an entry that speaks of what was asked.

    `field`: why, fix or check; `share` how much of it, 0..1.
    """

    entry: Pitfall
    field: str
    text: str
    share: float


Term = tuple[tuple[str, ...], ...]  # the ways to write one thing, each the tokens that must all be there


def search_terms(about: str) -> list[list[Term]]:
    """What is looked for: its terms as they were said and, for Chinese, as their English ones."""
    result = []
    for wording in (about, translate(about)):
        terms: list[Term] = []
        for token in dict.fromkeys(tokens(wording)):
            if token not in COMMON_TOKENS and len(token) > 1:
                long_form = tuple(tokens(SHORT_FORMS.get(token, "")))
                terms.append(((token,), long_form) if long_form else ((token,),))
        if terms:
            result.append(terms)
    return result


class ExcerptFinder:
    """Finds excerpts in a store. Document frequencies come from the lexical index."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._idf: dict[str, float] = {}

    def rarity(self, term: Term) -> float:
        """The IDF of a term: log(1 + entries / entries that use it), of its most common wording."""
        return min(max(self.idf(token) for token in wording) for wording in term)

    def idf(self, token: str) -> float:
        if token not in self._idf:
            documents = self.store.words.entries_with(token) or UNSEEN_DOCUMENTS
            self._idf[token] = math.log(1 + self.store.count / documents)
        return self._idf[token]

    def find_in(
        self,
        about: str,
        entries: Iterable[Pitfall],
        lang: str,
        fields: Iterable[str] = FIELDS,
        minimum_share: float = MIN_SHARE,
        minimum_rarity: float = 0.0,
    ) -> Excerpt | None:
        """The excerpt of these entries that says most of `about`, or None where none says enough of it.

        Earlier entries win ties. `minimum_rarity`: IDF weight that must be held at least, so that words which
        stand in most entries prove nothing.
        """
        wordings = [(terms, [self.rarity(term) for term in terms]) for terms in search_terms(about)]
        if not wordings:
            return None

        def share(present: set[str]) -> float:
            shares = []
            for terms, weights in wordings:
                held = sum(
                    weight for term, weight in zip(terms, weights, strict=True) if _holds(present, term)
                )
                shares.append(held / sum(weights) if held >= minimum_rarity else 0.0)
            return max(shares)

        best: Excerpt | None = None
        for entry in entries:
            excerpts = [
                (field, text, {*tokens(both), *tokens(translate(both))})
                for field, text, both in paragraphs(entry, lang, fields)
            ]
            entry_share = share(set().union(*(present for _, _, present in excerpts)))
            for field, text, present in excerpts:
                own = share(present) if entry_share else 0.0
                mean = (own + entry_share) / 2  # the rest of what was asked may stand a paragraph away
                if own < MIN_OWN_SHARE or mean < minimum_share:
                    continue
                if best is None or mean > best.share + TIE_SHARE:
                    best = Excerpt(entry, field, text, mean)
        return best

    def find_elsewhere(
        self, about: str, lang: str, excluded: set[str], limit: int = 3, minimum_rarity: float = 0.0
    ) -> list[Excerpt]:
        """Excerpts of entries not in `excluded` (ids) that say nearly all of `about`, one per entry."""
        whole, _ = self.store.words.search(about)
        ids = [id for id in sorted(whole, key=lambda id: -whole[id]) if id not in excluded]
        excerpts = (
            self.find_in(
                about,
                [self.store.pitfall(id)],
                lang,
                minimum_share=NEARLY_ALL_SHARE,
                minimum_rarity=minimum_rarity,
            )
            for id in ids[:MAX_ENTRIES_TRIED]
        )
        return [excerpt for excerpt in excerpts if excerpt][:limit]


def _holds(present: set[str], term: Term) -> bool:
    return any(all(token in present for token in wording) for wording in term)


def paragraphs(entry: Pitfall, lang: str, fields: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """(field, paragraph, the same paragraph in both languages) of an entry, in reading order.

    A Chinese question about "batch size" finds 批量 by the English paragraph that stands in the same place.
    """
    other = "en" if lang == "zh" else "zh"
    for field in fields:
        texts = getattr(entry, FIELDS[field])
        own, translated = blocks(texts[lang]), blocks(texts[other])
        for at, text in enumerate(own):
            yield field, text, f"{text}\n{translated[at]}" if len(own) == len(translated) else text
