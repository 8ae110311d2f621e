"""The Python stacks of running processes: by py-spy, else by the signal that the hook registered."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from torchwhy.paste.owner import owner_of
from torchwhy.runtime.system import descendants
from torchwhy.text.plain import plain

from . import py_spy

REPORT = "torchwhy-stack-"  # and the process: the name of a file in memory
MAX_STACK_BYTES = 1 << 20
ANSWER_S = 2.0  # for the stacks to be written
FRAME = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>.+)$', re.MULTILINE)
THREAD = re.compile(r"^(?=Thread |Current thread )", re.MULTILINE)
LIBRARY_PACKAGES = re.compile(r"(?:site|dist)-packages")


class StackFrame(NamedTuple):
    """A line of a stack, as Python has it."""

    file: str
    line: int
    function: str

    def is_users(self) -> bool:
        return self.file.endswith(".py") and not owner_of(self.file)


class Stack(NamedTuple):
    """The stacks of one process, as faulthandler or py-spy wrote them: the innermost frame first."""

    pid: int
    text: str

    def threads(self) -> list[list[StackFrame]]:
        """The frames of each thread, the thread that asked (or the main one) first."""
        texts = sorted(THREAD.split(self.text), key=lambda text: not text.startswith("Current"))
        return [frames for text in texts if (frames := frames_of(text))]

    def places(self) -> tuple[StackFrame, ...]:
        """Where it is: of each thread that runs the user's code the frames, but those of the standard
        library, whose loops wait and look again.
        """
        return tuple(
            frame
            for frames in self.threads()
            if any(frame.is_users() for frame in frames)
            for frame in frames
            if frame.is_users() or LIBRARY_PACKAGES.search(frame.file)
        )


def frames_of(text: str) -> list[StackFrame]:
    return [
        StackFrame(found["file"], int(found["line"]), found["function"]) for found in FRAME.finditer(text)
    ]


def stack_signal() -> int:
    """The signal that asks for a stack: one that no program uses; 0 where the system has no such signals."""
    first = getattr(signal, "SIGRTMIN", None)
    return int(first) + 11 if first is not None else 0


def stacks(root: int) -> list[Stack]:
    """The stacks of every Python process from `root` down: by py-spy where it is installed and may look, else
    by the signal that the hook registered.
    """
    pids = [pid for pid in (root, *descendants(root)) if pid != os.getpid()]
    files = {pid: file for pid in pids if (file := _report_of(pid))}
    found = py_spy.dumps([pid for pid in pids if pid in files or _is_python(pid)])
    found.update(_by_signal({pid: file for pid, file in files.items() if pid not in found}))
    return [Stack(pid, plain(found[pid])) for pid in pids if found.get(pid)]


def _is_python(pid: int) -> bool:
    with suppress(OSError):
        return "python" in os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    return False


def _report_of(pid: int) -> str:
    """The file that the hook of a process has its stack written into, as this system names it; "" where it
    took no hook in, or the program has closed it, and maybe has another file by that number.
    """
    folder = f"/proc/{pid}/fd"
    with suppress(OSError):
        for number in os.listdir(folder):
            with suppress(OSError):
                if f"{REPORT}{pid} " in os.readlink(f"{folder}/{number}"):
                    return f"{folder}/{number}"
    return ""


def _by_signal(files: Mapping[int, str]) -> dict[int, str]:
    """What each process writes of itself at the signal."""
    number = stack_signal()
    before = {pid: _size(file) for pid, file in files.items()}
    asked = [pid for pid in files if number and _answers(pid, number)]
    for pid in asked:
        with suppress(OSError):
            os.kill(pid, number)
    deadline = time.monotonic() + ANSWER_S
    while time.monotonic() < deadline and any(_size(files[pid]) == before[pid] for pid in asked):
        time.sleep(0.02)
    if asked:
        time.sleep(0.05)  # the last of them is still writing
    return {pid: _read(files[pid], before[pid]) for pid in asked}


def _answers(pid: int, number: int) -> bool:
    """Whether a process has a handler for this signal, so that sending it ends nothing."""
    with suppress(OSError, ValueError), open(f"/proc/{pid}/status", encoding="utf-8") as file:
        caught = next((line for line in file if line.startswith("SigCgt:")), "SigCgt: 0")
        return bool(int(caught.split()[1], 16) >> (number - 1) & 1)
    return False


def _size(path: str) -> int:
    with suppress(OSError):
        return os.stat(path).st_size
    return 0


def _read(path: str, start: int) -> str:
    with suppress(OSError), open(path, "rb") as file:
        file.seek(start)
        return file.read(MAX_STACK_BYTES).decode("utf-8", "replace").strip()
    return ""
