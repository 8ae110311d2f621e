"""What stands beside the message in a paste tells which cause it has, and which of two changes is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from torchwhy import Assistant
from torchwhy.answers.change import Change
from torchwhy.answers.screen import screen_of

PASTES = yaml.safe_load(Path(__file__).with_name("rest_of_paste.yaml").read_text("utf-8"))


@pytest.mark.parametrize("row", PASTES, ids=lambda row: row["entry"])
def test_the_rest_of_a_paste_tells_what_is_shown(real: Assistant, row: dict[str, str]) -> None:
    answer = real.ask(row["paste"], lang="en")
    assert answer.match is not None and answer.match.id == row["entry"]
    screen = screen_of(answer)
    change = screen.change or Change("")
    shown = " ".join((screen.says, change.text, change.code, change.alternative))
    assert row["said"] in shown and row["unsaid"] not in shown


def test_what_is_near_by_chance_is_not_named(assistant: Assistant) -> None:
    text = (
        'Traceback (most recent call last):\n  File "/me/map.py", line 5, in <module>\n    rows = table["area"]\n'
        '  File "/env/lib/python3.11/site-packages/pandas/core/frame.py", line 4102, in __getitem__\n'
        "    indexer = self.columns.get_loc(key)\nKeyError: 'area'\n"
    )
    answer = assistant.ask(text, lang="en")
    assert answer.match is None and answer.candidates
    assert not any("Nearest" in line for line in screen_of(answer).tell)
