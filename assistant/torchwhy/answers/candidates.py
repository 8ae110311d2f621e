"""The best candidates of an answer, a line each, for whoever judges better: a coding agent, a model."""

from __future__ import annotations

from collections.abc import Sequence

from torchwhy.text.width import LEAST_SIGHT, first_sentence, shortened

from .answer import Answer, Match

MAX_CANDIDATES = 20
# Of each part of a line: twenty lines take at most 1,500 tokens
TITLE_COLUMNS, CAUSE_COLUMNS, SIGHT_COLUMNS = 90, 110, 100


def candidates(answer: Answer) -> Sequence[Match]:
    """The entries to choose from, best first: a family's members, or the candidates of the ranking."""
    pool = answer.family.members if answer.family else answer.candidates
    return pool[:MAX_CANDIDATES]


def candidate_line(match: Match, lang: str) -> str:
    """Title, cause and the one sight that decides, each in a sentence."""
    entry = match.pitfall
    parts = [shortened(entry.title[lang], TITLE_COLUMNS)]
    cause, sight = first_sentence(entry.cause[lang]), first_sentence(entry.check[lang], LEAST_SIGHT)
    parts += [shortened(cause, CAUSE_COLUMNS)] if cause else []
    parts += [shortened(sight, SIGHT_COLUMNS)] if sight else []
    return " · ".join(parts)
