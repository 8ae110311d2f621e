"""The texts that `torchwhy.lab.fit` fits on, with their features, and how each sounds by others' weights."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Paste
from torchwhy.retrieval.features import FeatureTable
from torchwhy.retrieval.matcher import Matcher, query_text
from torchwhy.retrieval.store import Store
from torchwhy.retrieval.vectors import Near

from .evaluate import LabelledText
from .fit_tone import calms, tones, written


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


def printed(store: Store) -> list[LabelledText]:
    """What programs print of entries' failures in lines that are read as no error, and yet sound like one."""
    examples = [row for row in store.passages() if row[2] == "example" and parse(row[4]).root is None]
    return [LabelledText(row[1], frozenset(), row[3], "line", row[4]) for row in examples]


def sounding(case: FeaturedText, tone: Mapping[str, float]) -> FeaturedText:
    """The case as a text of this tone, by its words or by its vector: features of "none"."""
    return case._replace(table=case.table._replace(none=case.table.none._replace(**tone)))


def asked(ids: Iterable[str], rows: Sequence[LabelledText]) -> dict[str, int]:
    """How many of these questions are about each entry."""
    numbers = Counter(row.label for row in rows)
    return {entry: numbers[entry] for entry in sorted(ids)}


def unasked(case: FeaturedText, row: LabelledText) -> FeaturedText:
    """The case where its own row, one of the real questions, is not counted among them."""
    own = case.table.rows.get(row.label)
    if own is None or not case.table.lang or not is_real(row):
        return case
    less = own._replace(asked=math.log(max(1.0, math.exp(own.asked) - 1.0)))
    return case._replace(table=case.table._replace(rows={**case.table.rows, row.label: less}))


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
