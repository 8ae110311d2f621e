"""The features of each candidate, as numbers: what the ranking is fitted on. Pure Python; needs no numpy.

`EntryFeatures` is one candidate's row, `NoneFeatures` that of "none of these", which competes with the
candidates. A feature that is added here is fitted by `python -m torchwhy.lab.fit`; its name is written into
`ranking.json`.
"""

# Annotations are evaluated here: as texts, a record's are compiled one by one, half of this file's import.
import heapq
import math
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from torchwhy.knowledge.wordings import Claim
from torchwhy.paste.paste import Paste

from .claims import Weighed, beats, settle, weigh

if TYPE_CHECKING:
    from .vectors import Near

LIKELY_ENTRIES = 20  # entries that the discriminant, and naive Bayes, may bring in
COSINES = ("title", "ask", "cause", "check", "example")
NO_COSINES = (0.0,) * len(COSINES)
MISSING_LEAD = -0.3  # cosine lead of an entry that no passage brought in, and the lowest lead that counts
MAX_BM25 = 30.0  # bm25 of an entry's best line from which the words speak no louder
MAX_SEARCHED_CHARS = 20_000  # of a longer text, names are looked for in the distilled error alone
MIN_DISCRIMINANT, MIN_DISCRIMINANT_LEAD = -3.0, -1.5
MIN_BAYES, MIN_BAYES_LEAD, BAYES_SCALE = -6.0, -3.0, 3.0
MAX_RIVALS_BEATEN = 2.0
MAX_FOREIGN_GAP = 3.0
SHORT_WORDS = 6  # a text of fewer words (a word, or twelve characters) is short
COSINE_RANK = 5  # the gap is taken between the best entry and the one at this rank


class EntryFeatures(NamedTuple):
    """One candidate's features."""

    settled: float = 0.0  # 1: signatures alone decide for it
    claim_root: float = 0.0  # 1: it claims the leading error
    claim_symptom: float = 0.0  # the same for a silent entry, whose wordings are signs of a symptom
    claim_other: float = 0.0  # weight of another error that it claims
    claim_length: float = 0.0  # log of the matched characters
    claim_last: float = 0.0  # 1: no claim ends later
    claim_rivals: float = 0.0  # other entries that claim the leading error too
    claim_specific: float = 0.0  # rivals that it beats, less those that beat it
    lexical_whole: float = 0.0  # bm25 of the whole entry, as a share of the best entry's
    lexical_line: float = 0.0  # bm25 of its best line, as a share of the best line's
    lexical_both: float = 0.0  # the product of the two
    cosine_title: float = 0.0
    cosine_ask: float = 0.0
    cosine_cause: float = 0.0
    cosine_check: float = 0.0
    cosine_example: float = 0.0
    cosine_lead: float = 0.0  # how far its best cosine stands above the best of the others
    silent_for_error: float = 0.0  # 1: a silent entry, and the text holds an error
    silent_for_words: float = 0.0  # 1: a silent entry, and the text holds none
    id_words: float = 0.0  # share of the words of its id that stand in the text
    discriminant: float = 0.0  # score below the best entry's (0 or less)
    discriminant_lead: float = (
        0.0  # of the best entry its lead over the second, of others the distance to the best
    )
    bayes: float = 0.0  # naive Bayes below the best entry's (0 or less)
    bayes_lead: float = 0.0  # as discriminant_lead
    family_sign: float = 0.0  # 1: a question in words describes the symptom of a family that it is in


class NoneFeatures(NamedTuple):
    """The features of "none of these"."""

    bias: float = 1.0
    best_cosine: float = 0.0
    best_line: float = 0.0  # bm25 of the best line, up to MAX_BM25
    claimed: float = 0.0  # 1: some signature matches
    claimed_root: float = 0.0  # 1: some signature matches the leading error
    foreign: float = 0.0  # foreign things that the text names, in words software in torch's place; up to two
    has_root: float = 0.0
    short: float = 0.0
    cosine_gap: float = 0.0  # between the best entry's cosine and the sixth's
    torch_words: float = 0.0  # 1: the text names torch, cuda or gpu
    settled: float = 0.0
    discriminant_gap: float = 0.0  # between the best and the second entry
    bayes_gap: float = 0.0
    foreign_near: float = 0.0  # how far the nearest foreign centre stands above the best entry
    unclaimed: float = 0.0  # 1: the text holds an error, and no signature matches
    family_sign: float = 0.0  # 1: a question in words describes the symptom of some family
    innocent: float = 0.0  # that a question in words sounds as if nothing were wrong (`tone.py`)
    calm: float = 0.0  # the same by its vector


NAMES = EntryFeatures._fields
NONE_NAMES = NoneFeatures._fields


class FeatureTable(NamedTuple):
    """Features of every candidate, of `none`, and the claims that they rest on; `others`: what else each
    entry claims of the same error; `lang`: the language of a question in words, without an error or a claim.
    """

    rows: Mapping[str, EntryFeatures]
    none: NoneFeatures
    claims: Mapping[str, Claim]
    settled: str | None
    others: Mapping[str, tuple[Claim, ...]] = {}
    lang: str = ""


class Words(NamedTuple):
    """Of a question in words: its language, the entries of families whose symptom it describes, how far it
    sounds as if nothing were wrong, by its words and by its vector, and what it names in torch's place.
    """

    lang: str = ""
    signed: Set[str] = frozenset()
    innocent: float = 0.0
    calm: float = 0.0
    others: int = 0


class WordFeatures(NamedTuple):
    """What a text gives without a model. Kept while a batch waits for its vectors.

    `whole`, `lines`: bm25 by entry; `bayes`: naive Bayes by entry, 0 or less; `kinds`: every entry's kind;
    `told`: of a text without an error or a claim.
    """

    paste: Paste
    claims: Sequence[Claim]
    whole: Mapping[str, float]
    lines: Mapping[str, float]
    kinds: Mapping[str, str]
    bayes: Mapping[str, float]
    told: Words = Words()


class _Cosines:
    """The cosines of one text: by entry and field, each entry's best, and these in descending order."""

    def __init__(self, rows: Mapping[str, Sequence[float]]) -> None:
        self.rows = rows
        self.best = {entry: max(row) for entry, row in rows.items()}
        self.ordered = sorted(self.best.values(), reverse=True)

    def lead(self, entry: str) -> float:
        """How far the entry's best cosine stands above the best of the others (negative: below)."""
        if entry not in self.best:
            return MISSING_LEAD
        is_first = self.best[entry] == self.ordered[0] and len(self.ordered) > 1
        rival = self.ordered[1] if is_first else self.ordered[0]
        return max(MISSING_LEAD, self.best[entry] - rival)

    @property
    def gap(self) -> float:
        if not self.ordered:
            return 0.0
        return self.ordered[0] - self.ordered[min(COSINE_RANK, len(self.ordered) - 1)]


def collect(words: WordFeatures, near: "Near | None" = None) -> FeatureTable:
    """Turn raw scores into features. `near`: of the distilled error or the question."""
    paste, kinds = words.paste, words.kinds
    best = weigh(paste, words.claims)
    settled = settle(best, kinds)
    leaders = {entry: claim.claim for entry, claim in best.items() if claim.leading}
    last_end = max((claim.claim.end for claim in best.values()), default=0)
    cosines = _Cosines(near.cosines if near else {})
    scores: Mapping[str, float] = near.scores if near else {}
    second_score, second_bayes = _second(scores), _second(words.bayes)
    top_whole = max(words.whole.values(), default=0.0) or 1.0
    top_line = max(words.lines.values(), default=0.0) or 1.0
    text = paste.text.lower() if len(paste.text) < MAX_SEARCHED_CHARS else paste.distilled.lower()
    rows = {}
    brought_in = {*best, *words.whole, *words.lines, *cosines.rows}
    for entry in brought_in.union(_likeliest(scores), _likeliest(words.bayes)):
        if entry not in kinds:
            continue
        silent, weighed = kinds[entry] == "silent", best.get(entry)
        whole, line = words.whole.get(entry, 0.0) / top_whole, words.lines.get(entry, 0.0) / top_line
        title, ask, cause, check, example = cosines.rows.get(entry, NO_COSINES)
        rows[entry] = EntryFeatures(
            *_claim_features(entry, weighed, silent, entry == settled, leaders, last_end),
            lexical_whole=whole,
            lexical_line=line,
            lexical_both=whole * line,
            cosine_title=title,
            cosine_ask=ask,
            cosine_cause=cause,
            cosine_check=check,
            cosine_example=example,
            cosine_lead=cosines.lead(entry),
            silent_for_error=float(silent and paste.root is not None),
            silent_for_words=float(silent and paste.root is None),
            id_words=_share_of_id(entry, text),
            discriminant=max(MIN_DISCRIMINANT, scores.get(entry, 0.0)),
            discriminant_lead=_lead(scores, entry, second_score, MIN_DISCRIMINANT_LEAD),
            bayes=max(MIN_BAYES, words.bayes.get(entry, 0.0)) / BAYES_SCALE,
            bayes_lead=_lead(words.bayes, entry, second_bayes, MIN_BAYES_LEAD) / BAYES_SCALE,
            family_sign=float(entry in words.told.signed),
        )
    none = _none_features(words, near, cosines, best, text, top_line, (second_score, second_bayes))
    claims = {entry: weighed.claim for entry, weighed in best.items()}
    others = {entry: weighed.others for entry, weighed in best.items() if weighed.others}
    return FeatureTable(rows, none, claims, settled, others, words.told.lang)


def _none_features(
    words: WordFeatures,
    near: "Near | None",
    cosines: _Cosines,
    best: Mapping[str, Weighed],
    text: str,
    top_line: float,
    seconds: tuple[float, float],
) -> NoneFeatures:
    """What speaks for "no entry". `seconds`: the second-best score and log-probability."""
    paste = words.paste
    second_score, second_bayes = seconds
    return NoneFeatures(
        best_cosine=max((cosine for row in cosines.rows.values() for cosine in row), default=0.0),
        best_line=min(top_line, MAX_BM25) / MAX_BM25 if words.lines else 0.0,
        claimed=float(bool(best)),
        claimed_root=float(any(claim.leading for claim in best.values())),
        foreign=min(2.0, float(words.told.others if words.told.lang else len(paste.foreign))),
        has_root=float(paste.root is not None),
        short=float(len(text.split()) + len(text) / 12 < SHORT_WORDS),
        cosine_gap=cosines.gap,
        torch_words=float("torch" in text or "cuda" in text or "gpu" in text),
        settled=float(settle(best, words.kinds) is not None),
        discriminant_gap=-second_score if near and near.scores else 0.0,
        bayes_gap=-second_bayes / BAYES_SCALE,
        foreign_near=max(-MAX_FOREIGN_GAP, min(MAX_FOREIGN_GAP, near.foreign)) if near else 0.0,
        unclaimed=float(paste.root is not None and not best),
        family_sign=float(bool(words.told.signed)),
        innocent=words.told.innocent,
        calm=words.told.calm,
    )


def _claim_features(
    entry: str,
    weighed: Weighed | None,
    silent: bool,
    settled: bool,
    leaders: Mapping[str, Claim],
    last_end: int,
) -> tuple[float, float, float, float, float, float, float, float]:
    """The first eight features: what the entry's signatures say."""
    if weighed is None:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    claim, leading = weighed.claim, weighed.leading
    specific = 0.0
    if leading:
        rivals = [other for owner, other in leaders.items() if owner != entry]
        specific = float(sum(beats(claim, rival) for rival in rivals))
        specific -= sum(beats(rival, claim) for rival in rivals)
    return (
        float(settled),
        float(leading and not silent),
        float(leading and silent),
        0.0 if leading else weighed.weight,
        math.log1p(claim.length) / 5,
        float(claim.end == last_end),
        float(leading) * (len(leaders) - 1),
        max(-MAX_RIVALS_BEATEN, min(MAX_RIVALS_BEATEN, specific)),
    )


def _second(scores: Mapping[str, float]) -> float:
    """The second best score; 0 where there are fewer than two."""
    return heapq.nlargest(2, scores.values())[1] if len(scores) > 1 else 0.0


def _likeliest(scores: Mapping[str, float]) -> list[str]:
    """The entries of the best scores; of equal ones the one that stands first."""
    return heapq.nlargest(LIKELY_ENTRIES, scores, key=scores.__getitem__)


def _lead(scores: Mapping[str, float], entry: str, second: float, lowest: float) -> float:
    """Of the best entry (score 0) its lead over the second, of another its distance to the best, `lowest` at
    least.
    """
    if not scores:
        return 0.0
    score = scores.get(entry, 0.0)
    return -second if scores.get(entry) == 0.0 else max(lowest, score)


def _share_of_id(entry: str, text: str) -> float:
    """The share of the words of the entry's id that stand in the text."""
    words = [word for word in entry.split("-") if len(word) > 2]
    return sum(word in text for word in words) / len(words) if words else 0.0
