"""onnxruntime 1.31 keeps an id of the machine and events to be sent to its maker: here it keeps none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

PROGRAM = """
import os
from torchwhy.embedding.batches import onnx_runtime, session_options
session_options(1)
assert "ORT_DISABLE_TELEMETRY" not in os.environ
print(onnx_runtime().__name__)
"""


def test_onnxruntime_keeps_and_sends_nothing(tmp_path: Path) -> None:
    names = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    env = {**os.environ, **names, "PYTHONPATH": str(ROOT / "assistant")}
    env.pop("ORT_DISABLE_TELEMETRY", None)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=env, capture_output=True, timeout=100, check=False
    )
    assert done.stdout == b"onnxruntime\n", done.stderr
    assert [str(path) for path in tmp_path.rglob("*")] == []
