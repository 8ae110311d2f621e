"""What differs between Linux, macOS and Windows, in one place: what a system may lack is asked for here,
never by name where a module is imported.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress


def cores() -> int:
    """The cores that this process may use; of the whole machine where the system does not tell."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def program(name: str, path: str | None = None) -> str | None:
    """Where a program lies on this PATH, or on that of the environment; None where it does not. Never in the
    current folder, which a PATH with an empty part or a dot means, and a name with a relative folder: a
    stranger may have filled that.
    """
    import shutil

    if os.path.dirname(name) and not os.path.isabs(name):
        return None

    parts = (os.environ.get("PATH", os.defpath) if path is None else path).split(os.pathsep)
    return shutil.which(name, path=os.pathsep.join(part for part in parts if os.path.isabs(part)))


def signals(*names: str) -> tuple[signal.Signals, ...]:
    """Those of the signals that this system knows."""
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


def signal_name(number: int) -> str:
    """A signal's name; those for real time (SIGRTMIN+1) have none of their own."""
    try:
        return signal.Signals(number).name
    except ValueError:
        first = int(getattr(signal, "SIGRTMIN", number))
        return f"SIGRTMIN+{number - first}" if number > first else f"SIG{number}"


def is_running(number: str) -> bool:
    """Whether a process has this number."""
    try:
        os.kill(int(number), 0)
    except (ValueError, ProcessLookupError):
        return False
    except OSError:  # another user's
        pass
    return True


def only_ours(status: os.stat_result) -> bool:
    """Whether a file is the user's own, and no other user could have written it; Windows has neither owners
    nor modes to ask for, and its folders of a user are his.
    """
    user = getattr(os, "geteuid", None)
    return user is None or (status.st_uid == user() and not status.st_mode & 0o022)


def descendants(root: int) -> Iterator[int]:
    """The processes below one, by their numbers (Linux; none elsewhere)."""
    todo = [root]
    while todo:
        pid = todo.pop()
        with suppress(OSError):
            for task in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError, ValueError), open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                    found = [int(word) for word in file.read().split()]
                    todo += found
                    yield from found
