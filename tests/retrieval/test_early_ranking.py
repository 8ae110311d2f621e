"""What holds of the ranking whatever its weights are."""

from __future__ import annotations

from functools import lru_cache

from tests.conftest import ROOT
from torchwhy.lab.evaluate import LabelledText, load_rows
from torchwhy.paste.parse import parse
from torchwhy.retrieval.matcher import Matcher, Ranked


@lru_cache(maxsize=1)
def both(matcher: Matcher) -> list[tuple[LabelledText, Ranked, Ranked]]:
    """(row, ranking, full ranking) of every labelled text that a signature settles before any vector is made."""
    rows = load_rows(ROOT / "data" / "eval" / "dev.jsonl")
    pastes = [parse(row.text) for row in rows]
    early = matcher.rank_many(pastes)
    settled = [at for at, ranked in enumerate(early) if not ranked.vectors]
    full = matcher.rank_many([pastes[at] for at in settled], early=False)
    return [(rows[at], early[at], ranked) for at, ranked in zip(settled, full, strict=True)]


def shown(row: LabelledText, early: Ranked, full: Ranked) -> str:
    said = [
        f"{ranked.candidates[0].id} {ranked.candidates[0].probability} (answered: {ranked.answered})"
        for ranked in (early, full)
    ]
    return f"{row.label}: {said[0]} early, {said[1]} in full: {' '.join(row.text.split())[:100]}"


def test_an_early_first_is_the_full_rankings(assistant) -> None:  # type: ignore[no-untyped-def]
    found = both(assistant.matcher)
    assert len(found) >= 50, "the test would hold little"
    assert all(full.vectors for _, _, full in found)
    differing = [shown(*each) for each in found if each[1].candidates[0].id != each[2].candidates[0].id]
    assert not differing, "\n".join(differing)


def test_an_early_match_is_the_full_rankings(assistant) -> None:  # type: ignore[no-untyped-def]
    differing = [shown(*each) for each in both(assistant.matcher) if each[1].answered != each[2].answered]
    assert not differing, "\n".join(differing)
