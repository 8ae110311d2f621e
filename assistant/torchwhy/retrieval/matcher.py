"""The way from a parsed text to ranked candidates: words first, vectors only where no signature settles the
text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.knowledge.wordings import Claim
from torchwhy.paste.paste import Paste

from .claims import settle, weigh, with_structure
from .error_forms import forms_of
from .features import FeatureTable, WordFeatures, Words, collect
from .ranking import Ranking
from .store import Store

if TYPE_CHECKING:
    from .families import Likely
    from .vectors import Near, Vectors


MAX_RETYPED_CHARS = 2000  # of a text in which a message may have been typed by hand
TYPED = str.maketrans("’‘‛`´“”„，：；（）！？．", "'''''\"\"\",:;()!?.")
CLEAR_FROM = 0.85  # from which one entry is the answer where no signature speaks for it
CLEAR_OF_FAMILY = 0.9  # the same where the text tells a symptom that a family explains, and may tell no more
# Of what the first three have together, what a family must have to be the answer instead of them: it comes
# with its checks.
MIN_FAMILY_SHARE = 0.9
MAX_LISTED = 3  # entries that are the answer together, where none stands clear
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

    def features(self, paste: Paste, near: Near | None = None) -> FeatureTable:
        """The features of a text; `near`: of its `query_text`, where vectors are at hand."""
        words = self.word_features(paste)
        return self._collected(words, near) if near else collect(words)

    def _collected(self, words: WordFeatures, near: Near) -> FeatureTable:
        """The features of a text whose vectors are at hand."""
        if words.told.lang:
            from .tone import calmness

            calm = calmness(near.vector, self.ranking.tone)
            words = words._replace(told=words.told._replace(calm=calm))
        return collect(words, near)

    def word_features(self, paste: Paste) -> WordFeatures:
        """What signatures, BM25 and naive Bayes say of a text."""
        question = paste.distilled
        whole, lines = self.store.words.search(question)
        claims = self.wordings.claims(paste.text)
        if not claims and len(paste.text) <= MAX_RETYPED_CHARS:
            claims = self.wordings.claims(retyped(paste.text))
        bayes = self.store.bayes.scores(question)
        return WordFeatures(paste, claims, whole, lines, self.kinds, bayes, self._told(paste, claims))

    def _all_features(self, paste: Paste) -> WordFeatures:
        """What signatures, BM25, naive Bayes and the traceback's structure say of a text."""
        words = self.word_features(paste)
        return words._replace(claims=with_structure(paste, words.claims, self.wordings))

    def _told(self, paste: Paste, claims: Sequence[Claim]) -> Words:
        """What a text says in words, where no signature settles it: signs take long to compile."""
        if paste.root is not None or settle(weigh(paste, claims), self.kinds) is not None:
            return Words()
        from .families import described
        from .tone import innocence, others, terms

        signed = described(self.store.families.values(), paste.text)
        innocent = innocence(terms(paste.text), self.ranking.tone)
        foreign = len(others(paste.text))
        return Words(paste.lang, signed, innocent, others=foreign)

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
        words = {number: self._all_features(paste) for paste, number in first.items()}
        result: dict[int, Ranked] = {}
        for number, each in words.items():
            if settle(weigh(each.paste, each.claims), self.kinds) is not None:
                result[number] = self.judge(each.paste, collect(each))
        stands = {number for number, ranked in result.items() if ranked.answered}
        unsettled = [number for number in words if not (early and number in stands)]
        vectors = self.open_vectors() if unsettled else None
        if vectors is None:
            for number in words.keys() - result.keys():
                result[number] = self.judge(pastes[number], collect(words[number]))
            unsettled = []
        queries = {number: query_text(pastes[number]) for number in unsettled}
        distinct = list(dict.fromkeys(queries.values()))
        near = dict(zip(distinct, vectors.near(distinct) if vectors else (), strict=True))
        for number, text in queries.items():
            table = self._collected(words[number], near[text])
            # what signatures settle without vectors stands with them as well
            result[number] = self.judge(pastes[number], table, near[text], stands=number in stands)
        return [result[number] for number in same_as]

    def judge(
        self, paste: Paste, features: FeatureTable, near: Near | None = None, *, stands: bool = False
    ) -> Ranked:
        """The ranking of a text as it is answered; `stands`: that the first candidate is, however likely.

        A healthy log is not answered, and an error that no signature claims only where one entry stands
        clear: of texts drawn from threads, more than half of what words alone said of one was wrong. Of a
        symptom in words of which no entry stands clear, the answer is a family or the first three, if what
        they have together is likely enough.
        """
        ranked = self._ranked(paste, features, near)
        ranked = ranked._replace(answered=ranked.answered or stands)
        if ranked.settled or not ranked.candidates:
            return ranked
        if paste.root is not None:
            clear = bool(features.claims) or ranked.candidates[0].probability >= CLEAR_FROM
            return ranked._replace(answered=ranked.answered and clear)
        from torchwhy.paste.complaint import calm, is_log

        from .families import MAX_CONTRADICTED, contradicted, likely_family

        if is_log(paste.lines):
            healthy = calm(paste) == "log" and not features.claims
            return ranked._replace(answered=ranked.answered and not healthy)
        families, first = self.store.families.values(), ranked.candidates[0]
        clear_from = CLEAR_OF_FAMILY if features.none.family_sign else CLEAR_FROM
        if ranked.answered and first.probability >= clear_from:
            sure = first.probability >= MAX_CONTRADICTED
            if sure or not contradicted(families, paste.text, first.id):
                return ranked
        # as of one entry: likely enough, and likelier than that none fits
        least = max(self.ranking.of(features, ranked.vectors).threshold, ranked.none)
        together = sum(scored.probability for scored in ranked.candidates[:MAX_LISTED])
        probabilities = {scored.id: scored.probability for scored in ranked.candidates}
        family = likely_family(families, paste.text, probabilities)
        if family and family.probability >= max(least, MIN_FAMILY_SHARE * together):
            return ranked._replace(family=family)
        return with_list(ranked, together >= least)

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
        weights = self.ranking.of(features, near is not None)
        answered = best >= weights.threshold and best > none
        settled = features.settled is not None and near is None
        return Ranked(candidates, round(none, 4), answered, settled, near is not None)


def with_list(ranked: Ranked, likely: bool) -> Ranked:
    """The ranking of a symptom in words, of which the first three are the answer unless one stands clear;
    `likely`: whether they are likely enough together.
    """
    first = ranked.candidates[:MAX_LISTED]
    if first[0].claim or (ranked.answered and first[0].probability >= CLEAR_FROM):
        return ranked
    listed = sum(scored.probability >= MIN_LISTED for scored in first)
    if not (ranked.answered or (ranked.vectors and likely)) or not listed:
        return ranked
    return ranked._replace(answered=False, listed=listed)


def retyped(text: str) -> str:
    """A message that somebody typed off a screen as a program prints it, of the same length: straight quotes,
    half-width signs, and a comma for a full stop inside a line.
    """
    return text.translate(TYPED).replace(". ", ", ")


def query_text(paste: Paste) -> str:
    """What is embedded: the leading error alone, or the question."""
    root = paste.root
    if root is None:
        return paste.distilled
    return (f"{root.name}: {root.message}" if root.exception else root.message)[:MAX_LEAD_CHARS]
