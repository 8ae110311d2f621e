"""The way from a parsed text to ranked candidates: words first, vectors only where no signature settles the
text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.knowledge.wordings import Claim
from torchwhy.paste.paste import Paste

from .claims import settle, weigh
from .error_forms import forms_of
from .features import About, FeatureTable, WordFeatures, collect
from .ranking import Ranking
from .store import Store

if TYPE_CHECKING:
    from .families import Likely
    from .vectors import Near, Vectors


MAX_DOUBTED = 0.85  # of an entry that words alone bring in, what it must reach to be the one answer
LISTED = 3  # candidates that are the answer together, where none of them stands clear
MAX_RETYPED_CHARS = 2000  # of a text in which a message may have been typed by hand
TYPED = str.maketrans("’‘‛`´“”„，：；（）！？．", "'''''\"\"\",:;()!?.")
MAX_CANDIDATES = 20  # candidates that an answer carries
MAX_LEAD_CHARS = 1000  # of the leading error, what is embedded


class Scored(NamedTuple):
    """One candidate: its probability, its claim on the text if it has one, its cosine and its share of the
    words; `others`: what else it claims of the same error.
    """

    id: str
    probability: float
    score: float
    claim: Claim | None
    cosine: float
    lexical: float
    others: tuple[Claim, ...] = ()


class Ranked(NamedTuple):
    """Candidates, best first. `none`: the probability that nothing known fits; `answered`: whether the first
    stands; `settled`: whether signatures alone decided, so that vectors were not asked; `vectors`: whether
    they were; `family`: the family that is the answer, where no entry stands clear; `listed`: whether the
    first three candidates are, together; `healthy`: whether no line is a sentence, and the gate takes the
    text for a healthy program's log rather than for that of a failure; `words`: as in `FeatureTable`.
    """

    candidates: tuple[Scored, ...]
    none: float
    answered: bool
    settled: bool
    vectors: bool
    family: Likely | None = None
    listed: bool = False
    healthy: bool = False
    words: str = ""


class Matcher:
    """Finds the pitfall of a text. Vectors are opened by `open_vectors` only when a question needs them."""

    def __init__(
        self, store: Store, open_vectors: Callable[[], Vectors | None], ranking: Ranking | None = None
    ) -> None:
        self.store = store
        self.wordings = store.wordings
        self.ranking = ranking or Ranking.load()
        self.open_vectors = open_vectors
        self.kinds = store.kinds()

    @cached_property
    def about(self) -> About:
        """What the features ask of entries beside their texts."""
        families: dict[str, list[str]] = {}
        for family in self.store.families.values():
            for id in family.members:
                families.setdefault(id, []).append(family.id)
        practices = frozenset(id for id, effect in self.store.effects.items() if effect == "practice")
        return About(practices, families)

    def features(self, paste: Paste, near: Sequence[Near] = ()) -> FeatureTable:
        """The features of a text; `near`: of each of its `query_texts`, where vectors are at hand."""
        return collect(self.word_features(paste), *near[:2])

    def word_features(self, paste: Paste) -> WordFeatures:
        """What signatures, BM25 and naive Bayes say of a text."""
        question = paste.distilled
        whole, lines = self.store.words.search(question)
        claims = self.wordings.claims(paste.text)
        if not claims and len(paste.text) <= MAX_RETYPED_CHARS:
            claims = self.wordings.claims(retyped(paste.text))
        bayes = self.store.bayes.scores(question)
        about = About() if claims else self.about  # which a message that is settled does not wait for
        return WordFeatures(paste, claims, whole, lines, self.kinds, bayes, about)

    def rank(self, paste: Paste) -> Ranked:
        """Rank one text."""
        return self.rank_many([paste])[0]

    def rank_many(self, pastes: Sequence[Paste], *, early: bool = True) -> list[Ranked]:
        """Rank several texts; those that no signature settles share one batch of vectors.

        Equal texts are ranked once.

        `early=False` asks the vectors for all of them.
        """
        first: dict[Paste, int] = {}
        same_as = [first.setdefault(paste, number) for number, paste in enumerate(pastes)]
        words = {number: self.word_features(paste) for paste, number in first.items()}
        result: dict[int, Ranked] = {}
        for number, each in words.items():
            if settle(weigh(each.paste, each.claims), self.kinds) is not None:
                result[number] = self._ranked(each.paste, collect(each))
        stands = {number for number, ranked in result.items() if ranked.answered}
        unsettled = [number for number in words if not (early and number in stands)]
        vectors = self.open_vectors() if unsettled else None
        if vectors is None:
            for number in words.keys() - result.keys():
                result[number] = self._ranked(pastes[number], collect(words[number]))
            unsettled = []
        queries = {number: query_texts(pastes[number]) for number in unsettled}
        distinct = list(dict.fromkeys(text for texts in queries.values() for text in texts))
        near = dict(zip(distinct, vectors.near(distinct) if vectors else (), strict=True))
        for number, texts in queries.items():
            nears = [near[text] for text in texts]
            ranked = self._ranked(pastes[number], collect(words[number], *nears[:2]), nears[0])
            # what signatures settle without vectors stands with them as well
            result[number] = ranked._replace(answered=ranked.answered or number in stands)
        families = {number: near[texts[0]].families for number, texts in queries.items()}
        judged = {
            number: self._judged(pastes[number], ranked, families.get(number, {}))
            for number, ranked in result.items()
        }
        return [judged[number] for number in same_as]

    def _judged(self, paste: Paste, ranked: Ranked, near: Mapping[str, float]) -> Ranked:
        """The ranking as it is answered. Of a symptom in words of which no entry stands clear, the answer is
        what most likely holds its cause, a family or the first three candidates, if that is likely enough.
        `near`: of the vectors, by family.
        """
        if paste.root is not None or ranked.settled or not ranked.candidates or ranked.candidates[0].claim:
            return ranked
        if ranked.healthy:
            return ranked._replace(answered=False)
        from .families import MAX_CONTRADICTED, contradicted, evidence_of, likely_family

        best, families = ranked.candidates[0], self.store.families.values()
        if best.probability >= MAX_CONTRADICTED:
            return ranked
        if best.probability >= MAX_DOUBTED and not contradicted(families, paste.text, best.id):
            return ranked
        weights = self.ranking.of(ranked.vectors, ranked.words)
        probabilities = {scored.id: scored.probability for scored in ranked.candidates}
        listed = sum(scored.probability for scored in ranked.candidates[:LISTED])
        if families:
            evidence = evidence_of(families, probabilities, ranked.none, near)
            family = likely_family(evidence, weights.family, paste.text, probabilities)
            if family.probability >= max(listed, weights.listed):
                return ranked._replace(answered=False, family=family)
        return ranked._replace(answered=False, listed=listed >= weights.listed)

    def _ranked(self, paste: Paste, features: FeatureTable, near: Near | None = None) -> Ranked:
        rows, none = self.ranking.probabilities(features, near is not None)
        # an entry that declares this text as none of its own leaves its probability to "none": no other entry
        # is likelier for it
        refusing = self.store.refusing(forms_of(paste)) - features.claims.keys()
        if refusing:
            none += sum(probability for probability, _, entry in rows if entry in refusing)
            rows = [row for row in rows if row[2] not in refusing]
        candidates = tuple(
            Scored(
                entry,
                round(probability, 4),
                round(score, 4),
                features.claims.get(entry),
                max(near.cosines.get(entry, (0.0,))) if near else 0.0,
                features.rows[entry].lexical_whole,
                features.others.get(entry, ()),
            )
            for probability, score, entry in rows[:MAX_CANDIDATES]
        )
        best = candidates[0].probability if candidates else 0.0
        weights = self.ranking.of(near is not None, features.words)
        answered = best >= weights.threshold and best > none
        settled = features.settled is not None and near is None
        healthy = features.none.wordless == 1 and features.none.log > 0
        return Ranked(
            candidates,
            round(none, 4),
            answered,
            settled,
            near is not None,
            healthy=healthy,
            words=features.words,
        )


def retyped(text: str) -> str:
    """A message that somebody typed off a screen as a program prints it, of the same length: straight quotes,
    half-width signs, and a comma for a full stop inside a line.
    """
    return text.translate(TYPED).replace(". ", ", ")


def query_texts(paste: Paste) -> list[str]:
    """What is embedded: the leading error alone (or the question), and the user's words where both are
    there.
    """
    root = paste.root
    if root is None:
        return [paste.distilled]
    lead = f"{root.name}: {root.message}" if root.exception else root.message
    return [lead[:MAX_LEAD_CHARS], paste.words] if paste.words else [lead[:MAX_LEAD_CHARS]]
