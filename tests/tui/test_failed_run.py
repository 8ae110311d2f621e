"""The chat offers the run that just failed, and forgets it after a day."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from torchwhy.commands.chat import failed_run
from torchwhy.paste.parse import parse
from torchwhy.run import last
from torchwhy.tui.widgets.thread import Greeting


@pytest.mark.skipif(os.name != "posix", reason="`run` is POSIX's")
def test_the_run_that_failed_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHWHY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    assert failed_run() is None
    (tmp_path / "train.py").write_text("def main():\n    raise RuntimeError('mat1 and mat2 (2x3)')\nmain()\n")
    run = [sys.executable, "-m", "torchwhy", "run", "--no-vectors", sys.executable, "train.py"]
    subprocess.run(run, capture_output=True, check=False)
    failed = failed_run()
    assert failed is not None and failed.command.endswith("train.py")
    root = parse(failed.text).root
    assert root is not None and (root.name, root.message) == ("RuntimeError", "mat1 and mat2 (2x3)")
    assert [(Path(each.file).name, each.line) for each in root.frames] == [("train.py", 2)]
    greeting = Greeting()
    assert greeting.offered("0", "en") is None
    greeting.failed = failed
    assert greeting.offered("0", "en") == failed.text
    kept = last.read()
    assert kept is not None
    file = tmp_path / "data" / last.NAME
    file.write_text(file.read_text().replace(kept.at, "2020-01-01T00:00:00+00:00"))
    assert failed_run() is None
