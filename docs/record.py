"""`python -m docs.record`: run the sitting of the first page and keep what it printed (needs torch).

Only the names of two folders are replaced: the one that it runs in, and the environment's.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RECORDED = Path(__file__).parent / "recorded"
SESSION = RECORDED / "session.json"
ROOT = Path(__file__).parents[1]
COMMANDS = (("run", "train.py"), ("confirm", "matmul-shape-mismatch"))
COLUMNS = "88"


def recorded_step(words: tuple[str, ...], folder: Path) -> dict[str, str]:
    """One command and what it printed, standard error included."""
    env = {
        **os.environ,
        "COLUMNS": COLUMNS,
        "PYTHONPATH": str(ROOT / "assistant"),
        "NO_COLOR": "1",
        "TORCHWHY_LANG": "en",
        "TORCHWHY_DATA": str(folder / ".data"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    done = subprocess.run(
        [sys.executable, "-m", "torchwhy", *words],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    output = done.stdout.replace(str(folder), "~/project").replace(sys.prefix, "~/venv")
    return {"command": " ".join(["torchwhy", *words]), "output": output.rstrip() + "\n"}


def record() -> list[dict[str, str]]:
    """Every step of the sitting, in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        shutil.copy(RECORDED / "train.py", folder)
        return [recorded_step(words, folder) for words in COMMANDS]


if __name__ == "__main__":
    SESSION.write_text(json.dumps(record(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{SESSION.name} written")
