"""`kb/pitfall.schema.json`: what editors know of an entry is what the loader wants of it."""

from __future__ import annotations

import jsonschema
import pytest

from tests.conftest import KB
from torchwhy.authoring.json_schema import json_schema, schema_file, schema_text
from torchwhy.knowledge.schema import FIELDS, load_yaml

FILES = sorted([*KB.glob("[!_.]*/*/pitfall.yaml"), KB / "_template" / "pitfall.yaml"])
TEMPLATE = (KB / "_template" / "pitfall.yaml").read_text("utf-8")


def test_the_file_is_in_step() -> None:
    """`python -m torchwhy.authoring.json_schema` writes it."""
    assert schema_file().read_text("utf-8") == schema_text()


def test_it_is_a_schema_of_every_field() -> None:
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(schema["properties"]) == list(FIELDS)
    assert all(schema["properties"][field]["description"] for field in FIELDS)


def test_every_entry_fits() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
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
    assert list(jsonschema.Draft202012Validator(json_schema()).iter_errors(data))
