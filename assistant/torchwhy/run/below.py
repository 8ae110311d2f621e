"""The processes below one: which they are, whether they answer a signal (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path


def processes(root: int) -> Iterator[int]:
    """This process and all below it; on other systems than Linux only itself."""
    todo = [root]
    while todo:
        pid = todo.pop()
        yield pid
        with suppress(OSError, ValueError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError):
                    todo += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text("ascii").split())


def answers(pid: int, number: int) -> bool:
    """Whether a process has a handler for this signal, so that sending it ends nothing."""
    with suppress(OSError, ValueError):
        for line in Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False
