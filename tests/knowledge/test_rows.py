"""The rows of dynamo-graph-break: every graph break that torch printed names its own, and each says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import KB
from torchwhy.api import Assistant
from torchwhy.knowledge.conditions import comparisons
from torchwhy.knowledge.rows import read_rows, values_of
from torchwhy.lab.graph_breaks import REMEDIES, rows, said

FOLDER = str(KB / "compile" / "dynamo-graph-break")
PRINTED = json.loads((Path(__file__).parent.parent / "fixtures" / "graph_breaks.json").read_text("utf-8"))


@pytest.mark.parametrize("id", PRINTED)
def test_what_torch_printed_leads_to_its_row(id: str, real: Assistant) -> None:
    match = real.ask(PRINTED[id][1]).match
    assert match is not None and match.id == "dynamo-graph-break"
    assert dict(match.values)["id"] == id


def test_a_number_alone_is_a_question(real: Assistant) -> None:
    answer = real.ask("GB0170")
    assert answer.match is not None and dict(answer.match.values)["kind"] == "Data-dependent branching"
    assert answer.change is not None and "torch.where" in answer.change.code
    unknown = real.ask("UnicodeDecodeError: 'gb2312' codec can't decode byte 0xb0 in position 0")
    assert unknown.match is None or unknown.match.id != "dynamo-graph-break"


def test_every_remedy_has_a_change_and_every_change_rows(real: Assistant) -> None:
    changes = real.store.pitfall("dynamo-graph-break").change
    told = {right for change in changes for _, _, right in comparisons(change.when or "")}
    assert told == {row["remedy"] for row in read_rows(FOLDER).values()} <= {*REMEDIES, "switch"}


def test_what_earlier_releases_call_a_kind_names_its_row() -> None:
    assert values_of(FOLDER, {"row": "generic_jump  TensorVariable"})["id"] == "gb0170"
    assert values_of(FOLDER, {"row": "of a later release"}) == {"row": "of a later release"}
    assert values_of(FOLDER, {}) == {}


def test_a_registry_becomes_rows(tmp_path: Path) -> None:
    kind = {
        "Gb_type": "Unsupported thing",
        "Explanation": "No {x}.",
        "Hints": ["Set `torch._dynamo.config.on = True`."],
    }
    file = tmp_path / "registry.json"
    file.write_text(json.dumps({"GB0001": [kind]}))
    assert list(rows([file])) == [
        ("gb0001", ["Unsupported thing"], "switch", "torch._dynamo.config.on = True", "No ….")
    ]
    assert said("msg") == "" and len(said("a b " * 200)) < 250


@pytest.mark.parametrize("text", ['[["x"]]', "{}", "[", '[[1, ["x"], "", "", ""]]', "[[" * 100_000])
def test_rows_that_are_none_name_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text(text)
    assert values_of(str(tmp_path), {"row": "x"}) == {"row": "x"}
