"""What a part's witness holds, and what a run notes of a test that failed after it had passed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import tiers, whole

pytest_plugins = ["pytester"]


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


@pytest.mark.parametrize("by", ["parameter", "mark"])
def test_a_script_is_due_by_what_it_prints_and_not_by_the_questions(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    monkeypatch.setattr(tiers, "ROOT", pytester.path)
    folder = pytester.path / "kb" / "shapes" / "made-up"
    folder.mkdir(parents=True)
    for name in ("pitfall.yaml", "repro.py", "asks.en.txt", "asks.zh.txt"):
        (folder / name).write_text("a")
    pytester.makeini("[pytest]\nmarkers = script")
    mark, value = ("()", folder) if by == "parameter" else ('("kb/{folder}/*/*.*")', "shapes")
    item = pytester.getitem(
        f"""
        import pytest
        from pathlib import Path, PosixPath, WindowsPath

        @pytest.mark.script{mark}
        @pytest.mark.parametrize("folder", [{value!r}], ids=["made-up"])
        def test_it(folder):
            pass
        """,
        "test_it[made-up]",
    )
    first = tiers.digest_of(item)
    (folder / "asks.en.txt").write_text("b")
    (folder / "asks.zh.txt").unlink()
    assert tiers.digest_of(item) == first
    seen = {first}
    for name in ("repro.py", "pitfall.yaml"):
        (folder / name).write_text("b")
        seen.add(tiers.digest_of(item))
    assert len(seen) == 3
