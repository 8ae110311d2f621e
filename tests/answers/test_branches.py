"""Of several causes that an entry lists, the one that the text tells of leads."""

from __future__ import annotations

import json
import pickle

import pytest

from tests.conftest import ROOT, follows_schema
from torchwhy import Assistant
from torchwhy.answers.branches import branches, closest, sentence
from torchwhy.answers.markdown import answer_markdown
from torchwhy.paste.parse import parse
from torchwhy.text.language import LANGS

MESSAGE = "importing torch ends in Illegal instruction (core dumped)"
TOLD = f"{MESSAGE} on the host of our lab, lscpu there says QEMU Virtual CPU, a virtual machine under KVM"


def test_a_text_that_tells_of_one_cause(real: Assistant) -> None:
    answer = real.ask(TOLD)
    assert answer.match is not None
    cause = answer.match.closest("en")
    assert cause.startswith("a virtual machine whose CPU model is a common denominator")
    told = answer.to_dict()
    follows_schema(told, "answers/answer.schema.json")
    assert told["match"]["branch"] == cause
    assert told["screen"]["closest"] == f"Closest to yours: {cause}"
    assert "Closest to yours: a virtual machine whose CPU" in " ".join(str(answer).split())
    assert f"Closest to yours: {cause}" in answer_markdown(answer)
    assert answer.candidates[0] == answer.match
    assert pickle.loads(pickle.dumps(answer.match)).closest("zh").startswith("虚拟机")


def test_an_error_is_not_told_which_of_its_causes_it_is(real: Assistant) -> None:
    answer = real.ask(f"RuntimeError: CUDA error: unspecified launch failure\n{TOLD}")
    assert answer.match is not None
    assert branches(answer.match.pitfall.cause.en)
    assert answer.match.branch is None


@pytest.mark.parametrize("lang", LANGS)
def test_a_text_that_tells_of_none(real: Assistant, lang: str) -> None:
    answer = real.ask(MESSAGE, lang=lang)
    assert answer.match is not None
    assert branches(answer.match.pitfall.cause[lang])
    assert answer.match.closest(lang) == answer.to_dict()["screen"]["closest"] == ""
    assert answer.to_dict()["match"]["branch"] is None


def test_the_cause_that_leads_is_mostly_the_right_one(real: Assistant) -> None:
    store, led = real.store, []
    lines = (ROOT / "data" / "eval" / "branches-dev.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, lines):
        text, entry = parse(row["text"]).distilled, store.pitfall(row["label"])
        number = closest(entry, text, row["lang"], store.words.entries_with, store.count)
        led += [] if number is None else [number == row["branch"]]
    assert len(led) >= 0.4 * len(lines)
    assert sum(led) >= 0.75 * len(led)


def test_both_languages_list_the_same_causes(real: Assistant) -> None:
    listed = 0
    for entry in real.pitfalls.values():
        items = {lang: branches(entry.cause[lang]) for lang in LANGS}
        assert len(items["en"]) == len(items["zh"]), entry.id
        assert all(sentence(item) for each in items.values() for item in each), entry.id
        listed += bool(items["en"])
    assert listed > 100
