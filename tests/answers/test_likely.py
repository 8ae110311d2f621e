"""Several likely entries as an answer: the first screen, the page, JSON, and what may bear on them."""

from __future__ import annotations

import json

import jsonschema
import pytest

from tests.conftest import ROOT
from torchwhy import Assistant
from torchwhy.answers.answer import Answer
from torchwhy.answers.as_json import as_json
from torchwhy.answers.in_code import with_code
from torchwhy.answers.markdown import answer_markdown
from torchwhy.answers.render import text
from torchwhy.answers.screen_lines import MAX_LINES

QUESTION = {"en": "the model is much slower than it was", "zh": "模型比以前慢很多"}


def likely(assistant: Assistant, lang: str) -> Answer:
    """An answer whose first three candidates are the likely ones, whatever the ranking makes of the text."""
    answer = assistant.ask(QUESTION[lang], lang=lang)
    first = tuple(each._replace(probability=0.25) for each in answer.candidates[:3])
    return answer._replace(match=None, rival=None, family=None, change=None, likely=first)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_screen_names_each_with_what_decides(real: Assistant, lang: str) -> None:
    answer = likely(real, lang)
    shown = text(answer)
    assert answer.found and len(answer.likely) == 3 and "75" in shown
    assert len(shown.splitlines()) <= MAX_LINES
    assert sum(each.id in shown for each in answer.likely) >= 2
    assert any(each.pitfall.check[lang][:6] in shown for each in answer.likely)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_and_json_hold_all_three(real: Assistant, lang: str) -> None:
    answer = likely(real, lang)
    page, data = answer_markdown(answer), as_json(answer)
    schema = ROOT / "assistant" / "torchwhy" / "answers" / "answer.schema.json"
    jsonschema.validate(data, json.loads(schema.read_text("utf-8")))
    assert all(f"**{each.id}**" in page for each in answer.likely)
    assert [each["id"] for each in data["likely"]] == [each.id for each in answer.likely]
    assert data["match"] is None and data["screen"]["degree"] == "listed"


def test_findings_that_concern_none_of_them_leave_them(real: Assistant) -> None:
    answer = likely(real, "en")
    assert with_code(answer, (), real.pitfalls.__getitem__).likely == answer.likely
