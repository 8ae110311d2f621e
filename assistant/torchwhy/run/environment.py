"""The environment of a command whose Python programs describe their exceptions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from torchwhy.runtime.settings import TRY

FIRST = Path(__file__).with_name("child") / "first"  # holds a sitecustomize alone
COERCED = ("C.UTF-8", "C.utf8", "UTF-8")  # what Python makes of the locale "C"


def given_environment() -> dict[str, str]:
    """The environment that torchwhy was given. Where it names no locale (cron, a container), Python has set
    LC_CTYPE for itself, which would be another language for every program below.
    """
    env = dict(os.environ)
    if env.get("LC_CTYPE") in COERCED:
        with suppress(OSError):  # Linux tells
            entries = Path("/proc/self/environ").read_bytes().split(b"\0")
            given = [entry for entry in entries if entry.startswith(b"LC_CTYPE=")]
            del env["LC_CTYPE"]
            if given:
                env["LC_CTYPE"] = os.fsdecode(given[0].partition(b"=")[2])
    return env


def child_environment(env: Mapping[str, str], folder: str) -> dict[str, str]:
    """`env` as a command gets it whose Python programs write to `folder`; the user's own PYTHONPATH follows
    ours.
    """
    users = env.get("PYTHONPATH")
    path = f"{FIRST}{os.pathsep}{users}" if users else str(FIRST)
    own = {"PYTHONPATH": path, "TORCHWHY_RUN_FOLDER": folder, "TORCHWHY_RUN_TRY": TRY.read(env)}
    return {**env, **own}
