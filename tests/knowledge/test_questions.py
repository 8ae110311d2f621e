"""How people asked: the files beside the entries, and what is learnt of them. Oracle: the rows that were written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import KB, ROOT, write_entry
from torchwhy.knowledge.load import load_knowledge
from torchwhy.knowledge.questions import AskedQuestion, read_questions

ROW = {"label": "old", "also": ["b", "a"], "text": "it  stops\nafter an hour"}


def test_a_question_has_its_entries_by_their_present_names() -> None:
    found, problems = read_questions(json.dumps(ROW), "kb/questions.en.jsonl", {"a", "b"}, {"old": "a"})
    assert (found, problems) == ([AskedQuestion(("a", "b"), "it stops after an hour")], [])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "such as"),
        ("[]", "such as"),
        ('{"label": "a"}', "such as"),
        ('{"label": "a", "text": 3}', "such as"),
        ('{"label": ["a"], "text": "x"}', "such as"),
        ('{"label": "nowhere", "text": "x"}', "an entry that exists"),
        ('{"label": "a", "also": ["nowhere"], "text": "x"}', "an entry that exists"),
    ],
)
def test_a_line_that_is_no_question_is_left_out_and_said(line: str, said: str) -> None:
    good = '{"label": "a", "text": "x"}'
    found, (problem,) = read_questions(f"{good}\n{line}\n{good}", "f", {"a"}, {})
    assert len(found) == 2
    assert problem.field == "line 2"
    assert said in problem.wanted


def test_they_are_loaded_and_part_of_the_fingerprint(tmp_path: Path) -> None:
    write_entry(tmp_path, "a", "category")
    before = load_knowledge([tmp_path], {})
    (tmp_path / "questions.zh.jsonl").write_text('{"label": "a", "text": "跑着跑着就停了"}\n', "utf-8")
    after = load_knowledge([tmp_path], {})
    assert (before.questions, after.questions) == ((), (AskedQuestion(("a",), "跑着跑着就停了"),))
    assert before.fingerprint != after.fingerprint


def test_no_text_is_both_learnt_and_measured_on() -> None:
    learnt = {
        " ".join(json.loads(line)["text"].split())
        for path in KB.glob("questions.*.jsonl")
        for line in path.read_text("utf-8").splitlines()
    }
    for path in (ROOT / "data" / "eval").glob("*.jsonl"):
        texts = {" ".join(json.loads(line)["text"].split()) for line in path.read_text("utf-8").splitlines()}
        assert not texts & learnt, path
