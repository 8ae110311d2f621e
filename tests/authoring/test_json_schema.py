"""`kb/pitfall.schema.json`: what editors know of an entry is what the loader wants of it."""

from __future__ import annotations

import jsonschema
import pytest

from tests.conftest import KB
from torchwhy.knowledge.entry import EFFECTS, KINDS
from torchwhy.knowledge.schema import ARGUMENT, PARTS, SCHEMA, SPEAKS, load_yaml

FILES = sorted([*KB.glob("[!_.]*/*/pitfall.yaml"), KB / "_template" / "pitfall.yaml"])
TEMPLATE = (KB / "_template" / "pitfall.yaml").read_text("utf-8")


def test_it_is_a_schema_of_every_field() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    fields = SCHEMA["properties"]
    assert all(field["description"] for field in fields.values())
    assert fields["kind"]["enum"] == list(KINDS) and fields["effect"]["enum"] == list(EFFECTS)
    assert PARTS["fact"]["properties"]["speaks"]["enum"] == list(SPEAKS)
    assert PARTS["edit"]["properties"]["argument"]["pattern"] == f"^{ARGUMENT}$"


def test_every_entry_fits() -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    wrong = [
        f"{path.parent.name}: {error.json_path}: {error.message[:100]}"
        for path in FILES
        for error in validator.iter_errors(load_yaml(path.read_text("utf-8")))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kind: error", "kind: fatal"),
        ("effect: crash", "effect: boom"),
        ("cause:", "because:"),
        ("    example:", "    sample:"),
        ("  zh: 沿某一维拼接张量，而其余维度的大小不一致\n", ""),
        ("kind: error", "kind: error\nasks: {en: [a], zh: [b]}"),
        ("    title: torch.cat\n", ""),
        ("sources:", "needs: {gpu: true}\nsources:"),
        ("sources:", "needs: {cuda: 'yes'}\nsources:"),
        ("sources:", "facts: [{when: gpu.count == 0, speaks: maybe, en: x, zh: 无}]\nsources:"),
    ],
)
def test_a_slip_shows(old: str, new: str) -> None:
    assert old in TEMPLATE
    data = load_yaml(TEMPLATE.replace(old, new, 1))
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(data))
