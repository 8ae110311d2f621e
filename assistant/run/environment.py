"""The environment of a command whose Python programs describe their exceptions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

CHILD = Path(__file__).with_name("child")


def child_environment(env: Mapping[str, str], folder: str) -> dict[str, str]:
    """`env` as a command gets it whose Python programs write to `folder`; the user's own PYTHONPATH follows
    ours.
    """
    users = env.get("PYTHONPATH")
    path = f"{CHILD}{os.pathsep}{users}" if users else str(CHILD)
    return {**env, "PYTHONPATH": path, "TORCHWHY_RUN_FOLDER": folder}
