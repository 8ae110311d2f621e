"""What holds of the ranking whatever its weights are."""

from __future__ import annotations

from tests.conftest import ROOT
from torchwhy import Assistant
from torchwhy.lab.evaluate import LabelledText, load_rows
from torchwhy.paste.parse import parse
from torchwhy.retrieval.matcher import Ranked


def said(ranked: Ranked) -> tuple[str, bool]:
    return ranked.candidates[0].id, ranked.answered


def shown(row: LabelledText, early: Ranked, full: Ranked) -> str:
    return f"{row.label}: {said(early)} early, {said(full)} in full: {' '.join(row.text.split())[:100]}"


def test_what_a_signature_settles_before_any_vector_is_what_the_full_ranking_says(
    assistant: Assistant,
) -> None:
    rows = load_rows(ROOT / "data" / "eval" / "dev.jsonl")
    pastes = [parse(row.text) for row in rows]
    early = assistant.matcher.rank_many(pastes)
    settled = [at for at, ranked in enumerate(early) if not ranked.vectors]
    assert len(settled) >= 50, "the test would hold little"
    full = assistant.matcher.rank_many([pastes[at] for at in settled], early=False)
    assert all(ranked.vectors for ranked in full)
    pairs = [(rows[at], early[at], ranked) for at, ranked in zip(settled, full, strict=True)]
    assert [shown(*each) for each in pairs if said(each[1]) != said(each[2])] == []
