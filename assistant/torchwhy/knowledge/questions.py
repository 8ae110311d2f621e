"""How people asked about entries: `questions.en.jsonl` and `questions.zh.jsonl` of a knowledge base, a
question a line with the entry that it is about (`label`) and the others that an expert would accept (`also`).

The ranking's classifiers learn them beside the entries' own questions: these are a sentence by who knows the
answer, those are told at a forum's length, with wrong guesses and beside the point.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import NamedTuple

from torchwhy.text.plain import escaped

from .entry import Problem
from .schema import shortened


class AskedQuestion(NamedTuple):
    """A question. `entries`: those that answer it, the best first."""

    entries: tuple[str, ...]
    text: str


def read_questions(
    text: str, file: str, ids: Set[str], renamed: Mapping[str, str]
) -> tuple[list[AskedQuestion], list[Problem]]:
    """The questions of a file's text, and what is wrong with lines that are left out."""
    found, problems = [], []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line)
            named = dict.fromkeys(renamed.get(id, id) for id in (row["label"], *row.get("also", ())))
            question = AskedQuestion(tuple(named), " ".join(row["text"].split()))
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            wanted = 'such as {"label": "nan-loss", "also": [], "text": "..."}'
            problems.append(Problem(file, f"line {number}", escaped(shortened(line)), wanted))
            continue
        unknown = sorted(named.keys() - ids)
        if unknown:
            wanted = "the id of an entry that exists"
            problems.append(Problem(file, f"line {number}", escaped(shortened(unknown[0])), wanted))
        else:
            found.append(question)
    return found, problems
