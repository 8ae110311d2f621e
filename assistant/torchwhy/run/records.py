"""What the programs of a run left in its folder: plain files, no more than their end, texts that act on no
terminal.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

from torchwhy.runtime.json_types import JSONObject
from torchwhy.text.plain import harmless

MAX_BYTES = 1 << 20  # of a file; of a longer report the end
MAX_RECORDS = 256  # the newest: a run may start a worker that dies for each batch, for days
SEVERAL_LINES = ("message", "expression")


def read_file(path: str | Path, start: int = 0) -> bytes:
    """The end of a plain file, from `start` on; of all else nothing. Never raises or waits."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                return b""
            file.seek(max(start, status.st_size - MAX_BYTES))
            return file.read(MAX_BYTES) or b""
    except OSError:
        return b""


def read_records(folder: str) -> list[JSONObject]:
    """Every exception that was written down, in the order of time; what cannot be read is left out."""
    records = []
    found = sorted(Path(folder).glob("crash-*.json"), key=lambda path: path.lstat().st_mtime)
    for path in found[-MAX_RECORDS:]:
        try:
            record = json.loads(read_file(path))
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and "errors" in record:
            records.append(shown(record))
    return sorted(records, key=lambda record: float(record["time"]))


def shown(value: Any, name: str = "") -> Any:
    """A record, or a part of it called `name`, as it may be printed."""
    if isinstance(value, str):
        text = harmless(value)
        return text if name in SEVERAL_LINES else " ".join(text.splitlines())
    if isinstance(value, list):
        return [shown(part, name) for part in value]
    return {key: shown(part, key) for key, part in value.items()} if isinstance(value, dict) else value
