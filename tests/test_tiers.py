"""What a part's witness holds, and what a run notes of a test that failed after it had passed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import tiers, whole


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
