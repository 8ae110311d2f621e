"""The gate: a symptom, a how-to, a log and another library, told apart by what was learned; nothing else asks."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT
from torchwhy.lab.gate import trained_half
from torchwhy.retrieval.gate import MAX_LOGIT, Tone, tone_of_words

TRAINING = ROOT / "data" / "training"
MIN_TOLD_APART = 0.85  # of pairs of a symptom and an innocent text that the gate never saw


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_unseen_symptoms_stand_below_unseen_innocent_texts(lang: str) -> None:
    def tones(name: str, kinds: set[str]) -> list[float]:
        rows = map(json.loads, (TRAINING / name).read_text("utf-8").splitlines())
        texts = [row["text"] for row in rows if row["kind"] in kinds and row["lang"] == lang]
        return [tone_of_words(text).innocent for text in texts if not trained_half(text)]

    wrong = tones("symptoms.jsonl", {"question"})
    innocent = tones("negatives.jsonl", {"howto", "concept"})
    pairs = [(bad, good) for bad in wrong for good in innocent]
    assert len(wrong) >= 50 and len(innocent) >= 50
    assert sum(bad < good for bad, good in pairs) >= MIN_TOLD_APART * len(pairs)


def test_a_tone_is_kept_within_bounds() -> None:
    assert (Tone(9.0, -9.0) + Tone(1.0, 0.0)).clipped() == (MAX_LOGIT, -MAX_LOGIT)


def test_an_empty_text_has_a_tone() -> None:
    assert tone_of_words("") is not None
