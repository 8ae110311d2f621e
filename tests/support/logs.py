"""Logs of one program, and the rows of some."""

from __future__ import annotations

from pathlib import Path

from torchwhy.triaging import engine
from torchwhy.triaging.answering import AssistantOptions
from torchwhy.triaging.engine import TriageOptions
from torchwhy.triaging.parts import Folder
from torchwhy.triaging.row import Row
from torchwhy.triaging.rows import read_rows

FAILED = 'Traceback (most recent call last):\n  File "/home/user/p/train.py", line 7, in <module>\n    loss.backward()\nRuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)\n'
STEPS = "".join(f"2025-03-04 10:00:{at:02d} INFO step {at} loss 0.5\n" for at in range(40))
WORDS = AssistantOptions(vectors=False)  # vectors change the entry of some, and no row's being there


def rows(paths: list[str], out: Path, workers: int = 1, ray: str | None = None) -> list[Row]:
    engine.run(paths, Folder(out), TriageOptions(ray=ray, workers=workers, knowledge=WORDS))
    return sorted(read_rows(Folder(out)), key=lambda row: row.job)
