"""A read-only machine for a leg, by bubblewrap (`bwrap`) where it is installed and the system lets it work.

A leg can write to its own temporary folder, /dev and /proc; the rest of the file system is there to be read, and of the
network there is `lo`. Process numbers stay the system's own: CUDA's MPS and memory handles do not cross into a namespace
of process numbers, and `leg.py` ends every process anyway. This guards against accidents; it is no jail for malice.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache


def prefix(folder: str) -> list[str]:
    """Words to put before a command so that it can write to `folder` alone; [] where that is not to be had."""
    program = shutil.which("bwrap") if sys.platform == "linux" else None
    return _words(program, folder) if program and _works(program) else []


def _words(program: str, folder: str) -> list[str]:
    pipes = os.environ.get("CUDA_MPS_PIPE_DIRECTORY") or "/tmp/nvidia-mps"  # noqa: S108 (where a program meets a GPU's MPS server)
    kept = ["--cap-add", "ALL"] if os.geteuid() == 0 else []  # root without its powers cannot read an environment of another user
    return [
        program, "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc", "--bind-try", pipes, pipes, "--bind", folder, folder,
        "--unshare-net", *kept, "--",
    ]  # fmt: skip


@lru_cache(maxsize=4)
def _works(program: str) -> bool:
    """Whether it starts a program here (10 ms): in most containers, and on systems without user namespaces, it does not."""
    try:
        with tempfile.TemporaryDirectory(prefix="torchwhy-") as folder:
            words = [*_words(program, folder), shutil.which("true") or "true"]
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=10, check=False)
        return done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
