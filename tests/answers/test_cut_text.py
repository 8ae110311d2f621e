"""Of a message that was cut when it was pasted, nothing is said to be absent."""

from __future__ import annotations

import pickle

import pytest

from torchwhy import Assistant
from torchwhy.knowledge.conditions import CUT, holds
from torchwhy.knowledge.cut_text import state_of

HEAD = "RuntimeError: Error(s) in loading state_dict for Planner:\n\tMissing key(s) in state_dict: "
WHOLE = HEAD + '"stem.weight", "stem.bias", "steps.0.gain". \n'
ABSENT = "No key is unexpected"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + '"stem.weight", "stem.bias", ......\n',
        HEAD + '"stem.weight", ..., "steps.0.gain"…\n\nthat is how it begins\n',
        HEAD + '"stem.weight", "stem.bias",\n',
        HEAD + '"stem.weight", "stem.bi\n',
        HEAD + '"stem.weight", "stem.bias" [... 40 more, truncated]\n',
    ],
)
def test_nothing_is_absent_from_a_message_that_was_cut(real: Assistant, text: str) -> None:
    assert state_of(text, text.index("Missing")) == {CUT: "yes"}
    answer = real.ask(text, lang="en")
    assert answer.match is None or not any(ABSENT in said for said in answer.match.says["en"])
    assert ABSENT not in str(answer)


def test_a_message_in_quotation_marks_is_whole() -> None:
    text = 'it says "the pool is empty" and then "the pool is full", why?'
    assert state_of(text, text.index("the pool")) == state_of(text, text.index("pool is full")) == {}
    assert state_of(text[:-7], text.index("pool is full")) == {CUT: "yes"}


def test_dots_that_the_message_itself_prints_cut_nothing(real: Assistant) -> None:
    text = (
        "jinja2.exceptions.TemplateError: Conversation roles must alternate user/assistant/user/assistant/..."
    )
    assert state_of(text, 0, text) == {} != state_of(text, 0)
    assert "counts from the first message" in str(real.ask(text, lang="en"))


def test_it_is_said_of_a_whole_one(real: Assistant) -> None:
    answer = real.ask(WHOLE + "\nAnd then? I waited ...\n", lang="en")
    assert answer.match is not None and ABSENT in str(answer)
    assert pickle.loads(pickle.dumps(answer.match)) == answer.match


@pytest.mark.parametrize(
    ("when", "values", "wanted"),
    [
        ("rest == none", {}, True),
        ("rest == none", {CUT: "yes"}, False),
        ("rest == none", {CUT: "yes", "rest": "a"}, False),
        ("rest != none", {CUT: "yes", "rest": "a"}, True),
        ("rest != none", {CUT: "yes"}, False),
        ("rest == a", {CUT: "yes", "rest": "a"}, True),
        ("cut == none", {}, True),
        ("cut == none", {CUT: "yes"}, False),
        ("torch.cuda == none", {CUT: "yes", "torch.cuda": None}, True),
    ],
)
def test_what_a_cut_message_may_be_asked(when: str, values: dict[str, str], wanted: bool) -> None:
    assert holds(when, values) is wanted
