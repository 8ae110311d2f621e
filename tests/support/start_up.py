"""What is imported by a piece of code: start-up is a feature."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

HEAVY = (
    "torch",
    "sentence_transformers",
    "transformers",
    "faiss",
    "onnxruntime",
    "onnx",
    "textual",
    "rich",
    "numpy",
    "yaml",
)
SETTLED = "RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed)."


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{code}\nimport sys\nprint('\\n' + ' '.join(sorted(name for name in sys.modules if '.' not in name)))",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return set(done.stdout.strip().splitlines()[-1].split())
