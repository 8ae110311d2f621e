"""What a part's witness holds, what a run notes of a test that failed after it had passed, and what it leaves out."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests import tiers, whole
from tests.conftest import KB, ROOT
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


CONFTEST = """
from pathlib import Path
from tests import tiers
tiers.ROOT = Path(__file__).parent
tiers.WITNESSES, tiers.SLOW_CPU_S, tiers.MAX_DUE = tiers.ROOT / "witness", 0.2, 2
pytest_addoption, pytest_configure = tiers.add_options, tiers.register
"""
TESTS = """
import pytest, time
def burn():
    end = time.process_time() + 0.3
    while time.process_time() < end: pass
@pytest.fixture(scope="module")
def prepared(): burn()
def test_quick():
    time.sleep(0.3)
    if not pytest: from torchwhy.made import part
def test_busy(): burn()
def test_first(prepared): pass
def test_second(prepared): pass
"""


def test_what_takes_much_processor_is_left_out_until_its_sources_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By itself, or with what is prepared for it; waiting costs none."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_made.py").write_text(TESTS)
    part = tmp_path / "assistant/torchwhy/made/part.py"
    part.parent.mkdir(parents=True)
    part.write_text("")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = script")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    slow = {f"test_made.py::test_{name}" for name in ("busy", "first", "second")}
    share = str((tiers.remainder("test_made.py", tiers.SHARES) + 1) % tiers.SHARES)

    def said(*words: str) -> str:
        command = [sys.executable, "-Bm", "pytest", "-q", "-p", "no:cacheprovider", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout

    said("--passed", "noted.jsonl", "test_made.py")
    monkeypatch.setattr(whole, "WITNESSES", tmp_path / "witness")
    whole.write_witness(1, "tree", tmp_path / "noted.jsonl", 0)
    monkeypatch.setattr(tiers, "WITNESSES", tmp_path / "witness")
    assert set(tiers.witnessed()) == slow
    assert "1 passed, 3 deselected" in said("--share", share)
    part.write_text("edited = 1")
    assert "3 passed, 1 deselected" in (some := said("--share", share))
    assert "Left out: 1 tests of the witness, of which 1 are due" in some
    (tmp_path / "test_made.py").write_text(f"{TESTS}\n")
    assert "4 passed" in said("--share", share)
