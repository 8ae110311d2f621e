"""The texts that `torchwhy.lab.fit` fits on, with their features, and how each sounds by others' weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from torchwhy.embedding.adapter import foreign
from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Paste
from torchwhy.retrieval.class_statistics import Statistics
from torchwhy.retrieval.compile import trained
from torchwhy.retrieval.discriminant import Discriminant, solve
from torchwhy.retrieval.features import FeatureTable
from torchwhy.retrieval.matcher import Matcher, query_text
from torchwhy.retrieval.store import Store
from torchwhy.retrieval.vectors import Near

from .evaluate import LabelledText
from .fit_tone import calms, tones, written

if TYPE_CHECKING:
    import numpy as np

HELD_OUT_FOLDS = 10


class FeaturedText(NamedTuple):
    """A text with its features; `near`: of its query, where vectors are asked."""

    paste: Paste
    table: FeatureTable
    near: Near | None


def cases_of(matcher: Matcher, rows: Sequence[LabelledText], vectors: bool) -> list[FeaturedText]:
    pastes = [parse(row.text) for row in rows]
    if not vectors:
        return [FeaturedText(paste, matcher.features(paste), None) for paste in pastes]
    opened = matcher.open_vectors()
    if opened is None:
        raise SystemExit("the full ranking is fitted with vectors; install the model")
    nears = [opened.near([query_text(paste)])[0] for paste in pastes]
    return [
        FeaturedText(paste, matcher.features(paste, near), near)
        for paste, near in zip(pastes, nears, strict=True)
    ]


def held_out(
    matcher: Matcher,
    rows: Sequence[LabelledText],
    embedded: Callable[[Sequence[str]], np.ndarray],
    vectors: bool = True,
) -> list[FeaturedText]:
    """The cases of rows of which the knowledge learns some as questions: each of these as it would be without
    its fold of them, since classifiers know their own texts. `embedded` gives texts their vectors; `vectors`:
    whether the cases have features by them.
    """
    store, opened = matcher.store, matcher.open_vectors()
    questions, passages = store.questions(), store.passages()
    if not questions or opened is None:
        return cases_of(matcher, rows, vectors)
    fold_of = {question.text: number % HELD_OUT_FOLDS for number, question in enumerate(questions)}
    statistics = Statistics.of(embedded([row[4] for row in passages]), [row[1] for row in passages])
    asked = embedded([question.text for question in questions])
    whole = store.bayes, opened.discriminant
    result: dict[int, FeaturedText] = {}
    for fold in (None, *range(HELD_OUT_FOLDS)):
        inside = [at for at, row in enumerate(rows) if fold_of.get(" ".join(row.text.split())) == fold]
        if fold is not None:
            kept = [at for at in range(len(questions)) if at % HELD_OUT_FOLDS != fold]
            entries = [questions[at].entries for at in kept]
            weights = solve(statistics.with_questions(asked[kept], entries), foreign(opened.model))
            opened.discriminant = Discriminant(statistics.ids, weights)
            store.bayes = trained([(row[1], row[4]) for row in passages], [questions[at] for at in kept])
        result |= zip(inside, cases_of(matcher, [rows[at] for at in inside], vectors), strict=True)
    store.bayes, opened.discriminant = whole
    return [result[at] for at in range(len(rows))]


def printed(store: Store) -> list[LabelledText]:
    """What programs print of entries' failures in lines that are read as no error, and yet sound like one."""
    examples = [row for row in store.passages() if row[2] == "example" and parse(row[4]).root is None]
    return [LabelledText(row[1], frozenset(), row[3], "line", row[4]) for row in examples]


def sounding(case: FeaturedText, tone: Mapping[str, float]) -> FeaturedText:
    """The case as a text of this tone, by its words or by its vector: features of "none"."""
    return case._replace(table=case.table._replace(none=case.table.none._replace(**tone)))


def is_real(row: LabelledText) -> bool:
    """Whether a text restates one of a public thread."""
    return row.source.startswith("http")


class Given(NamedTuple):
    """What is fitted on: texts, their labels, how much each counts, and its fold."""

    cases: Sequence[FeaturedText]
    rows: Sequence[LabelledText]
    weights: Sequence[float]
    fold: Sequence[int]

    def some(self, inside: Sequence[int]) -> Given:
        return Given(
            [self.cases[at] for at in inside],
            [self.rows[at] for at in inside],
            [self.weights[at] for at in inside],
            [self.fold[at] for at in inside],
        )


def sounded(told: Given, always: Sequence[LabelledText]) -> tuple[dict[str, Any], list[dict[str, float]]]:
    """The tone as ranking.json has it, and of each question in words how it sounds by weights that never saw
    its fold; `always`: further texts of the tone.
    """
    nears = [case.near for case in told.cases]
    vectors = [near.vector if near else () for near in nears]
    tone, innocences = tones(told.rows, told.weights, told.fold, always)
    calm, calmnesses = calms(vectors, told.rows, told.weights, told.fold)
    both = zip(innocences, calmnesses, strict=True)
    return written(tone | calm), [{"innocent": innocent, "calm": calmness} for innocent, calmness in both]
