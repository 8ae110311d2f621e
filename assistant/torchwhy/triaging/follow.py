"""A folder that grows: new logs are looked at as they end, each failed job is told once, and a cause that was
never seen calls a command or an address.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import asdict

from .engine import TriageOptions, run
from .parts import Folder
from .row import Row
from .rows import read_rows

SETTLED_S = 5.0  # without a change, from which on a log has ended
COMMAND_TIMEOUT_S = 60.0
WEBHOOK = ("http://", "https://")


class Settling:
    """Which files have not changed for a while; `find` in a loop tells the rest."""

    def __init__(self, settled_s: float = SETTLED_S) -> None:
        self._settled_s = settled_s
        self._seen: dict[str, tuple[int, str, float]] = {}

    def paths(self, sources: Iterator[tuple[str, int, str]]) -> list[str]:
        """The files that ended since the last call."""
        now, found = time.monotonic(), []
        for path, size, mtime in sources:
            before = self._seen.get(path)
            if before is None or before[:2] != (size, mtime):
                self._seen[path] = (size, mtime, now)
            elif before[2] >= 0 and now - before[2] >= self._settled_s:
                self._seen[path] = (size, mtime, -1.0)  # told
                found.append(path)
        return found


def follow(
    sources: Callable[[], Iterator[tuple[str, int, str]]],
    folder: Folder,
    options: TriageOptions,
    interval_s: float,
    ended: Settling,
    rounds: int | None = None,
) -> Iterator[tuple[Row, bool]]:
    """Each job that failed since the start, once for each error, and whether the error is a new one.

    rounds: how many looks at the folder (default: for ever). Raises what `run` raises.
    """
    told = {(row.job, row.fingerprint) for row in read_rows(folder)}
    known = {mark for _, mark in told}
    while rounds is None or rounds > 0:
        fresh = ended.paths(sources())
        if fresh:
            run(fresh, folder, options)
            for row in read_rows(folder):
                if row.status == "failed" and (row.job, row.fingerprint) not in told:
                    yield row, row.fingerprint not in known
                    told.add((row.job, row.fingerprint))
                    known.add(row.fingerprint)
        if rounds is not None:
            rounds -= 1
        if rounds != 0:
            time.sleep(interval_s)


def call(target: str, row: Row) -> str | None:
    """Tell a command, or an address, of a new cause; None, or what went wrong in a line.

    A command of the shell gets the row as JSON on its standard input and as variables; an address gets it as
    a POST.
    """
    data = json.dumps(asdict(row), default=str).encode()
    if target.startswith(WEBHOOK):
        try:
            request = urllib.request.Request(target, data, {"Content-Type": "application/json"})  # noqa: S310 (two schemes)
            with urllib.request.urlopen(request, timeout=COMMAND_TIMEOUT_S):  # noqa: S310
                return None
        # whatever the other side answers: HTTPException is no OSError
        except (OSError, ValueError, http.client.HTTPException) as error:
            return f"--on-new: {str(error).strip() or type(error).__name__}"
    named = {"JOB": row.job, "ENTRY": row.entry, "FINGERPRINT": row.fingerprint, "ERROR": row.error}
    env = {
        **os.environ,
        **{f"TORCHWHY_NEW_{name}": (value or "").replace("\0", "") for name, value in named.items()},
    }
    try:
        done = subprocess.run(  # noqa: S602 (the user's own command line)
            target, shell=True, input=data, env=env, timeout=COMMAND_TIMEOUT_S, stdout=sys.stderr, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"--on-new: {error}"
    return f"--on-new: exit status {done.returncode}" if done.returncode else None
