"""The lock of archives: what pip reports is compared with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.tools import locked

ONE, TWO = "1" * 64, "2" * 64


def report(tmp_path: Path, **hashes: str) -> str:
    items = [
        {
            "metadata": {"name": name, "version": "1.0"},
            "download_info": {"archive_info": {"hashes": {"sha256": hash}}},
        }
        for name, hash in hashes.items()
    ]
    items.append(
        {"metadata": {"name": "torchwhy", "version": "1"}, "download_info": {"dir_info": {"editable": True}}}
    )
    (tmp_path / "report.json").write_text(json.dumps({"install": items}))
    return str(tmp_path / "report.json")


def test_another_archive_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(locked, "LOCK", tmp_path / "lock")
    assert locked.main(["--write", report(tmp_path, good=ONE, torch=TWO)]) == 0
    assert f"good==1.0 --hash=sha256:{ONE}\n" in (tmp_path / "lock").read_text()
    assert "torch" not in locked.locked((tmp_path / "lock").read_text())
    assert locked.main([report(tmp_path, good=ONE, torch=ONE)]) == 0
    assert locked.main([report(tmp_path, good=TWO)]) == 1
    assert locked.main([report(tmp_path, good=ONE, other=ONE)]) == 1
    assert locked.main([report(tmp_path, good="")]) == 1
    assert "other 1.0" in capsys.readouterr().out


def test_the_lock_has_the_pinned_releases() -> None:
    """What is locked is pinned, in the same release; what is required directly is locked, torch aside."""
    pins = [
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
        if "==" in line
    ]
    pinned = {locked.canonicalize_name(name): version.split(" ")[0] for name, version in pins}
    found = {name: version for name, (version, _) in locked.locked(locked.LOCK.read_text("utf-8")).items()}
    assert {name: version for name, version in found.items() if pinned.get(name) != version} == {}
    assert {"google-re2", "numpy", "onnxruntime", "pytest", "textual", "tokenizers"} <= set(found)
    assert not set(locked.LOCAL) & set(found)
