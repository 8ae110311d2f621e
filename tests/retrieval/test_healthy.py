"""Healthy logs and innocent questions: nothing is wrong there, so nothing is answered (at most 1 %)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from tests.conftest import ROOT
from torchwhy import Assistant

MAX_ANSWERED_SHARE = 0.01
EVERY = 6  # of the lines one in so many is asked here, of the questions each one


@cache
def rows() -> list[dict[str, Any]]:
    text = (ROOT / "data" / "eval" / "healthy.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_there_are_enough() -> None:
    kinds = [row["kind"] for row in rows()]
    assert kinds.count("line") >= 450 and kinds.count("question") >= 100
    assert sum(row["source"] == "run" for row in rows()) >= 150
    assert {row["label"] for row in rows()} == {"none"}


@pytest.mark.slow
def test_healthy_lines_are_not_answered(assistant: Assistant) -> None:
    asked = [row["text"] for row in rows() if row["kind"] != "question"][::EVERY]
    answered = [text for text, answer in zip(asked, assistant.ask_many(asked), strict=True) if answer.found]
    assert len(answered) <= MAX_ANSWERED_SHARE * len(asked), answered


def test_innocent_questions_are_not_answered(assistant: Assistant) -> None:
    """Few of a hundred: a definition of a word that an entry is about stays near to that entry."""
    asked = [row["text"] for row in rows() if row["kind"] == "question"]
    answered = [text for text, answer in zip(asked, assistant.ask_many(asked), strict=True) if answer.found]
    assert len(answered) <= 5, answered
