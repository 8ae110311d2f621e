"""The gate: a symptom, a how-to, a log and another library, told apart by what was learned; nothing else asks."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT
from torchwhy.lab.gate import trained_half
from torchwhy.retrieval.claims import MAX_LOGIT, Tone
from torchwhy.retrieval.gate import tone_of_words
from torchwhy.text.language import LANGS

TRAINING = ROOT / "data" / "training"
MIN_TOLD_APART = 0.85  # of pairs of a symptom and an innocent text that the gate never saw
MIN_LOGS_TOLD_APART = 0.98


def unseen(name: str, kinds: set[str], langs: set[str]) -> list[Tone]:
    """What the gate says of the texts of a file of these kinds that it was not trained on."""
    rows = map(json.loads, (TRAINING / name).read_text("utf-8").splitlines())
    texts = [row["text"] for row in rows if row["kind"] in kinds and row["lang"] in langs]
    return [tone_of_words(text) for text in texts if not trained_half(text)]


def told_apart(low: list[float], high: list[float]) -> float:
    """The share of pairs of which the first stands below the second."""
    return sum(one < other for one in low for other in high) / (len(low) * len(high))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_unseen_symptoms_stand_below_unseen_innocent_texts(lang: str) -> None:
    wrong = [tone.innocent for tone in unseen("symptoms.jsonl", {"question"}, {lang})]
    innocent = [tone.innocent for tone in unseen("negatives.jsonl", {"howto", "concept"}, {lang})]
    assert len(wrong) >= 50 and len(innocent) >= 50
    assert told_apart(wrong, innocent) >= MIN_TOLD_APART


def test_unseen_symptoms_stand_below_unseen_healthy_logs() -> None:
    wrong = [tone.log for tone in unseen("symptoms.jsonl", {"question"}, set(LANGS))]
    logs = [tone.log for tone in unseen("negatives.jsonl", {"log"}, set(LANGS))]
    assert len(wrong) >= 100 and len(logs) >= 200
    assert told_apart(wrong, logs) >= MIN_LOGS_TOLD_APART


def test_a_tone_is_kept_within_bounds() -> None:
    assert (Tone(9.0, -9.0) + Tone(1.0, 0.0)).clipped() == (MAX_LOGIT, -MAX_LOGIT, 0.0)


def test_an_empty_text_has_a_tone() -> None:
    assert tone_of_words("") is not None
