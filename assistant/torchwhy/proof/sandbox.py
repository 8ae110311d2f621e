"""What stands around a leg: plain bubblewrap (`bwrap`) where it works, or the user's own TORCHWHY_RUNNER.

In bubblewrap a leg reads the system, its Python and its torch, and writes to its own folder; it has no home,
no network but `lo`, and sees no process but its own, all of which end with it.
"""

from __future__ import annotations

import glob
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from torchwhy.errors import ConfirmError
from torchwhy.machine import sandbox_paths
from torchwhy.runtime import settings, system
from torchwhy.text.plain import escaped

PROBE_TIMEOUT_S = 10
GPU_DEVICES = ("/dev/nvidia*", "/dev/dri", "/dev/kfd", "/dev/dxg", "/dev/accel")
# What every program may read; of NixOS the folders in /run are the system's own.
SYSTEM = """
    /usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /gnu /sys /snap
    /run/opengl-driver /run/opengl-driver-32 /run/current-system
"""
# Of /etc what names libraries, users, hosts and time; neither keys nor passwords.
ETC = (
    *("ld.so.*", "passwd", "group", "hosts", "nsswitch.conf", "localtime", "os-release", "alternatives"),
    *("python*", "OpenCL", "vulkan", "nvidia*", "cuda*", "fonts", "mime.types"),
)
# The guards that a leg goes without, by name, as the phrases say them; TREE: nobody watches its memory.
FILES, NETWORK, PROCESSES, TREE = "files", "network", "processes", "tree"


@dataclass(frozen=True, slots=True)
class Start:
    """How a leg is started. `env` None: with the user's own environment, as the user's runner is.

    `wrapped`: another program stands in front, and says the death by signal N as status 128 + N; `grace`: the
    seconds that it gets to end what it started; `missing`: the guards that the leg goes without.
    """

    command: tuple[str, ...]
    env: Mapping[str, str] | None
    wrapped: bool = False
    grace: float = 0.0
    missing: tuple[str, ...] = ()


def can_shut_in() -> bool:
    """Whether a script that did not come with torchwhy can run here: by bubblewrap, or the user's runner."""
    return bool(settings.RUNNER.read()) or bubblewrap() is not None


def missing_guards() -> tuple[str, ...]:
    """The guards that a shipped script goes without on this system."""
    if bubblewrap() is not None:
        return ()
    return (FILES, NETWORK, PROCESSES, *(() if sys.platform == "linux" else (TREE,)))


def start(
    command: Sequence[str], env: Mapping[str, str], folder: str, needed: Iterable[str], *, shut_in: bool
) -> Start:
    """How to run `command` in `folder`, the only one that it may write to; `needed`: what its Python reads.

    `shut_in`: only by the user's runner or bubblewrap; else in bubblewrap where that works. Raises
    ConfirmError where a script that has to be shut in cannot be.
    """
    runner = settings.RUNNER.read() if shut_in else ""
    if runner:
        words = [word.replace("{folder}", folder) for word in runner_words(runner)]
        own = (f"{name}={value}" for name, value in env.items())
        return Start((*words, "env", "-i", *own, *command), None, wrapped=True, grace=5.0)
    program = bubblewrap()
    if program is not None:
        return Start((*_words(program, folder, needed), *command), env, wrapped=True)
    if shut_in:
        raise ConfirmError("bubblewrap does not work here any more, so the script was not run")
    return Start(tuple(command), env, missing=missing_guards())


def runner_words(runner: str) -> list[str]:
    """The words of TORCHWHY_RUNNER, split as a shell does. Raises ConfirmError."""
    try:
        words = shlex.split(runner)
    except ValueError as error:
        raise ConfirmError(f"{settings.RUNNER.name}: {error}: {escaped(runner)}") from error
    program = system.program(words[0])
    if program is None:
        raise ConfirmError(f"{settings.RUNNER.name}: no such program: {escaped(words[0])}")
    return [os.path.abspath(program), *words[1:]]  # it is started in the folder of the leg


def bubblewrap() -> str | None:
    """The bubblewrap that works here; None where none does."""
    program = system.program("bwrap") if sys.platform == "linux" else None
    return program if program is not None and _works(program) else None


@lru_cache(maxsize=4)
def _works(program: str) -> bool:
    """Whether this bubblewrap starts torchwhy's own Python (10 ms, once)."""
    try:
        with tempfile.TemporaryDirectory(prefix="torchwhy-") as folder:
            needed = (sys.executable, sys.prefix, sys.base_prefix)
            done = subprocess.run(
                [*_words(program, folder, needed), sys.executable, "-I", "-S", "-c", ""],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_TIMEOUT_S,
                check=False,
            )
        return done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _words(program: str, folder: str, needed: Iterable[str]) -> list[str]:
    words = [program, "--die-with-parent", "--unshare-user", "--unshare-all", "--cap-drop", "ALL"]
    if os.geteuid() == 0:
        words += ["--uid", "1000", "--gid", "1000"]  # as root a script could make no namespace of its own
    system = [name for name in SYSTEM.split() if os.path.exists(name)]
    for name in system:
        words += ["--symlink", os.readlink(name), name] if os.path.islink(name) else ["--ro-bind", name, name]
    for name in sorted(path for pattern in ETC for path in glob.glob(f"/etc/{pattern}")):
        words += ["--ro-bind-try", name, name]
    words += ["--dev", "/dev", "--proc", "/proc"]
    for name in sorted(path for pattern in GPU_DEVICES for path in glob.glob(pattern)):
        words += ["--dev-bind-try", name, name]
    homes = {os.path.expanduser("~"), os.path.realpath(os.path.expanduser("~"))}
    hidden = [home for home in sorted(homes) if any(sandbox_paths.is_below(home, name) for name in system)]
    for name in hidden:
        words += ["--tmpfs", name]
    needed = list(needed)
    shown = [
        name
        for name in sandbox_paths.shown(needed, homes)
        if _is_in(name, hidden) or not _is_in(name, system)
    ]
    for name in shown:
        words += ["--ro-bind-try", name, name]
    links = (name for path in needed if os.path.islink(path) for name in sandbox_paths.links_to(path))
    for name in dict.fromkeys(links):  # a virtual environment is found by its link to a Python
        if os.path.islink(name) and not _is_in(name, (*system, *shown)):
            words += ["--symlink", os.readlink(name), name]
    return [*words, "--bind", folder, folder, "--chdir", folder, "--"]


def _is_in(name: str, folders: Iterable[str]) -> bool:
    return any(name == folder or sandbox_paths.is_below(name, folder) for folder in folders)
