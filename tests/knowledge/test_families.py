"""Families: what is refused in one, what the shipped ones hold, and how one becomes the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.conftest import ROOT
from tests.support.fixture_kb import FIXTURES, fixture_world
from tests.support.shipped import knowledge
from torchwhy import Assistant
from torchwhy.answers.as_json import as_json
from torchwhy.answers.markdown import answer_markdown
from torchwhy.authoring.check import check, check_family
from torchwhy.knowledge.family_schema import read_family
from torchwhy.knowledge.load import family_files, load_knowledge
from torchwhy.retrieval.families import shows
from torchwhy.runtime import locations

FIXTURE = FIXTURES / "kb" / "_families" / "memory-fills-up.yaml"
ENTRIES = ("gpu-memory-exhausted", "gpu-memory-in-pieces")
SHIPPED = [path.stem for path in family_files(locations.shipped("kb"))]
CATALOGUE = 16


def fields_of_problems(**changes: Any) -> set[str]:
    """The fields that are reported where these fields of the fixture's family are replaced."""
    data = yaml.safe_load(FIXTURE.read_text("utf-8")) | changes
    text = yaml.safe_dump(data, allow_unicode=True)
    family, problems = read_family(text, file="f", id="memory-fills-up", documents={}, entries=ENTRIES)
    assert (family is None) == bool(problems)
    return {problem.field for problem in problems}


def test_a_good_family_has_no_problem() -> None:
    assert fields_of_problems() == set()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"members": ["gpu-memory-exhausted", "no-such-entry"]}, "members[1]"),
        ({"members": ["gpu-memory-exhausted"]}, "members"),
        ({"members": ["gpu-memory-exhausted", "gpu-memory-exhausted"]}, "members[1]"),
        ({"title": {"en": "no Chinese"}}, "title"),
        ({"signs": ["(unclosed"]}, "signs[0]"),
        ({"checks": []}, "checks"),
        ({"sources": []}, "sources"),
        ({"surplus": 1}, "(top).surplus"),
    ],
)
def test_what_is_wrong_in_a_family_is_named(changes: dict[str, Any], field: str) -> None:
    assert field in fields_of_problems(**changes)


def test_an_answer_needs_a_label_unless_it_is_yes_or_no() -> None:
    ask = {"en": "What?", "zh": "什么？"}
    answers = [{"id": "blue", "raises": ["gpu-memory-exhausted"]}, {"id": "no", "lowers": ["elsewhere"]}]
    found = fields_of_problems(checks=json.loads(json.dumps([{"ask": ask, "answers": answers}] * 2)))
    assert {"checks[0].answers[0].label", "checks[0].answers[1].lowers[0]"} <= found


def test_a_member_that_no_answer_speaks_for_is_a_problem() -> None:
    data = yaml.safe_load(FIXTURE.read_text("utf-8"))
    for each in data["checks"]:
        for answer in each["answers"]:
            answer["raises"] = [id for id in answer["raises"] if id != "gpu-memory-in-pieces"]
    family, _ = read_family(
        yaml.safe_dump(data), file="f", id="memory-fills-up", documents={}, entries=ENTRIES
    )
    assert family is not None
    assert [problem.found for problem in check_family(family)] == ["gpu-memory-in-pieces"]


def test_a_broken_family_is_skipped_and_reported(tmp_path: Path) -> None:
    folder = tmp_path / "kb" / "_families"
    folder.mkdir(parents=True)
    (folder / "broken.yaml").write_text("title: [", "utf-8")
    known = load_knowledge([FIXTURES / "kb", tmp_path / "kb"], {})
    assert set(known.families) == {"memory-fills-up"}
    assert [problem.file for problem in known.problems] == ["_families/broken.yaml"]
    checked = check([FIXTURES / "kb", tmp_path / "kb"], {})
    assert "_families/broken.yaml" in {problem.file for problem in checked.problems}


def test_the_catalogue_is_there() -> None:
    assert len(SHIPPED) == CATALOGUE


@pytest.mark.parametrize("id", SHIPPED)
def test_a_shipped_family_is_whole(id: str) -> None:
    known = knowledge()
    family = known.families[id]
    assert list(check_family(family)) == []
    assert set(family.members) <= set(known.pitfalls)


@pytest.mark.parametrize(
    ("id", "sentence", "shown"),
    [
        ("training-hangs", "双卡跑到一半，进度条不动了", True),
        ("training-hangs", "学了十轮，loss 降到 2.1 就不动了", False),
        ("training-hangs", "Everything just freezes after some minutes", True),
        ("training-hangs", "the run seems to be frozen at step 40", True),
        ("training-hangs", "I want everything frozen and only the head updated", False),
        ("training-hangs", "the encoder is frozen, the backbone I can freeze from the config", False),
        ("loss-does-not-fall", "学了十轮，loss 降到 2.1 就不动了", True),
        ("reloaded-or-resumed-disagrees", "I load the weights and the score is worse", True),
        ("reloaded-or-resumed-disagrees", "the GPU load drops to zero every few steps", False),
        ("slow-or-idle", "the GPU load drops to zero every few steps", True),
        ("gpu-memory-grows", "after the run GPU memory stays at 9 GB", True),
        ("gpu-memory-grows", "GPU memory stays at zero", False),
    ],
)
def test_a_sentence_shows_the_family_that_it_speaks_of(id: str, sentence: str, shown: bool) -> None:
    """Words that two complaints share ("load", "不动", "stays") belong to the one that is meant."""
    assert shows(sentence, knowledge().families[id].signs) is shown


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    with fixture_world(tmp_path_factory.mktemp("families")) as assistant:
        yield assistant


def test_a_family_is_an_answer_in_every_form(assistant: Assistant) -> None:
    """`match` is None, the family is there: page, JSON by its schema, members that add up."""
    answer = assistant.ask("As training goes on the memory of the card grows from batch to batch. A leak?")
    family = answer.family
    assert answer.match is None and family is not None and answer.found
    assert family.id == "gpu-memory-grows"
    assert sum(member.probability for member in family.members) == pytest.approx(
        family.probability, abs=0.001
    )
    page = answer_markdown(answer)
    assert f"# {family.family.title.en}" in page and family.checks[0].ask.en in page
    data = as_json(answer)
    schema = json.loads(
        (ROOT / "assistant" / "torchwhy" / "answers" / "answer.schema.json").read_text("utf-8")
    )
    jsonschema.validate(data, schema)
    assert data["match"] is None and data["family"]["members"][0]["id"] == family.members[0].id


def test_a_message_is_answered_by_its_entry_whatever_family_it_is_in(small: Assistant) -> None:
    answer = small.ask(
        "the card fills up\nRuntimeError: Trying to backward through the graph a second time (or directly access "
        "saved tensors after they have already been freed)."
    )
    assert answer.family is None and answer.match is not None and as_json(answer)["family"] is None


def test_an_error_that_nobody_knows_is_no_family(small: Assistant) -> None:
    assert not small.ask("the card fills up\nValueError: something else").found
