"""The way from a parsed text to ranked candidates: words first, vectors only where no signature settles the
text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.knowledge.wordings import Claim
from torchwhy.paste.paste import Paste

from .claims import settle, weigh
from .error_forms import forms_of
from .features import FeatureTable, WordFeatures, collect
from .ranking import Ranking
from .store import Store

if TYPE_CHECKING:
    from torchwhy.paste.complaint import Calm

    from .families import Likely
    from .vectors import Near, Vectors


# From which probability an entry is answered to a text in which nothing is said to be wrong. A healthy log is
# not answered; entries on a practice ("how do I freeze layers?") are what a question about how to do a thing
# may ask for.
CALM_FLOORS: Mapping[Calm, float] = {"log": 1.1, "how": 0.9997, "plain": 0.95}
PRACTICE_FLOOR = 0.9
CALM_SHARE = 0.2  # of their probability, what candidates keep below that floor
MAX_RETYPED_CHARS = 2000  # of a text in which a message may have been typed by hand
TYPED = str.maketrans("’‘‛`´“”„，：；（）！？．", "'''''\"\"\",:;()!?.")
CLEAR_FROM = 0.85  # from which one entry is the answer to a symptom in words
MIN_TOGETHER = 0.5  # of the first three together, which are the answer where no entry stands clear
MAX_LISTED = 3  # of them
MIN_LISTED = 0.02  # the probability of each; where one alone has it, that one is the answer
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
    they were; `family`: the family that is the answer, where no entry stands clear; `listed`: how many
    of the first are the answer together.
    """

    candidates: tuple[Scored, ...]
    none: float
    answered: bool
    settled: bool
    vectors: bool
    family: Likely | None = None
    listed: int = 0


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
        return WordFeatures(paste, claims, whole, lines, self.kinds, self.store.bayes.scores(question))

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
        judged = {number: self._judged(pastes[number], ranked) for number, ranked in result.items()}
        return [judged[number] for number in same_as]

    def _judged(self, paste: Paste, ranked: Ranked) -> Ranked:
        """The ranking as it is answered: nothing where nothing is said to be wrong, a family where no entry
        stands clear.
        """
        if ranked.settled or any(scored.claim for scored in ranked.candidates):
            return self._with_family(paste, ranked)
        from torchwhy.paste.complaint import calm

        mood = calm(paste)
        if mood is None or not ranked.candidates:
            return self._with_family(paste, ranked)
        best = ranked.candidates[0]
        floor = CALM_FLOORS[mood]
        if mood == "how" and self.store.effects.get(best.id) == "practice":
            floor = PRACTICE_FLOOR
        if best.probability >= floor:
            return ranked
        doubted = doubtful(ranked)
        return self._with_family(paste, doubted) if mood == "plain" else doubted

    def _with_family(self, paste: Paste, ranked: Ranked) -> Ranked:
        """The ranking with the family that is the answer, where a symptom is told in words and no entry
        stands clear.
        """
        best = ranked.candidates[0].probability if ranked.candidates else 0.0
        if paste.root is not None or ranked.settled:
            return ranked
        from torchwhy.paste.complaint import is_log

        from .families import MAX_CONTRADICTED, MAX_MATCH, contradicted, likely_family

        if is_log(paste.lines):
            return ranked
        families = self.store.families.values()
        if ranked.answered and best >= MAX_MATCH:
            doubted = best < MAX_CONTRADICTED and contradicted(families, paste.text, ranked.candidates[0].id)
            if not doubted:
                return with_list(ranked)
        probabilities = {scored.id: scored.probability for scored in ranked.candidates}
        family = likely_family(families, paste.text, probabilities, ranked.none)
        return with_list(ranked) if family is None else ranked._replace(family=family)

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
        weights = self.ranking.full if near else self.ranking.quick
        answered = best >= weights.threshold and best > none
        settled = features.settled is not None and near is None
        return Ranked(candidates, round(none, 4), answered, settled, near is not None)


def with_list(ranked: Ranked) -> Ranked:
    """The ranking of a symptom in words, of which the first three are the answer unless one stands clear."""
    first = ranked.candidates[:MAX_LISTED]
    if not first or first[0].claim or (ranked.answered and first[0].probability >= CLEAR_FROM):
        return ranked
    near = ranked.vectors and sum(scored.probability for scored in first) >= MIN_TOGETHER
    listed = sum(scored.probability >= MIN_LISTED for scored in first)
    if not (ranked.answered or near) or not listed:
        return ranked
    return ranked._replace(answered=False, listed=listed)


def doubtful(ranked: Ranked) -> Ranked:
    """The ranking of a text in which nothing is said to be wrong: most of the probability goes to "none"."""
    candidates = tuple(
        scored._replace(probability=round(scored.probability * CALM_SHARE, 4)) for scored in ranked.candidates
    )
    none = 1.0 - CALM_SHARE * (1.0 - ranked.none)
    return ranked._replace(candidates=candidates, none=round(none, 4), answered=False)


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
