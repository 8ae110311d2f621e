"""What a part's witness holds, and what a run notes of a test that failed after it had passed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests import tiers, whole
from tests.conftest import KB
from tests.support import shipped
from tests.support.shipped import knowledge


def test_a_witness_holds_the_scripts_that_passed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole, "WITNESSES", tmp_path)
    monkeypatch.setattr(tiers, "WITNESSES", tmp_path)
    noted = tmp_path / "noted.jsonl"

    def note(id: str, outcome: str) -> None:
        with noted.open("a") as file:
            file.write(json.dumps({"id": id, "outcome": outcome, "seconds": 1, "digest": f"of {id}"}) + "\n")

    for id, outcome in [("a", "passed"), ("b", "passed"), ("c", "skipped"), ("b", "failed")]:
        note(id, outcome)
    whole.write_witness(1, "tree", noted, 1)
    assert tiers.witnessed() == {"a": "of a"}
    assert tiers.Tier(None, "1/8", str(noted)).done() == {"a", "c"}
    noted.unlink()
    note("d", "passed")
    whole.write_witness(1, "tree", noted, 2)  # stopped early: what was seen of `a` still holds at its digest
    assert tiers.witnessed() == {"a": "of a", "d": "of d"}


def test_an_entrys_script_is_judged_by_its_wordings_and_not_by_its_prose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = KB / "shapes" / "matmul-shape-mismatch"
    entry = knowledge().pitfalls[folder.name]
    said = tiers.judged_by(folder)
    pitfalls = dict(knowledge().pitfalls)
    monkeypatch.setattr(shipped, "knowledge", lambda: replace(knowledge(), pitfalls=pitfalls))
    for changes, same in (
        ({"fix": entry.cause, "asks": {}}, True),
        ({"kind": "warning"}, False),
        ({"signatures": entry.signatures[1:]}, False),
    ):
        pitfalls[entry.id] = entry._replace(**changes)  # type: ignore[arg-type]
        assert (tiers.judged_by(folder) == said) is same
