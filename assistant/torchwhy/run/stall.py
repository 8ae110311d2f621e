"""A run that stands still: in each of several looks its Python processes are at the same lines.

The stacks of its Python processes, and what they wait for in words that can be looked up.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from torchwhy.paste.owner import owner_of
from torchwhy.runtime.system import descendants
from torchwhy.text.plain import plain

from . import py_spy

LOOKS = 8  # that must show the same
REPORT = "torchwhy-stack-"  # and the process: the name of a file in memory
MAX_STACK_BYTES = 1 << 20
ANSWER_S = 2.0  # for the stacks to be written
FRAME = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>.+)$', re.MULTILINE)
THREAD = re.compile(r"^(?=Thread |Current thread )", re.MULTILINE)
LIBRARY_PACKAGES = re.compile(r"(?:site|dist)-packages")
# What waits, by the function in which it does, and what that is called in a question.
COLLECTIVES = "all_reduce|all_gather\\w*|reduce_scatter\\w*|broadcast\\w*|barrier|monitored_barrier|all_to_all\\w*|send|recv|wait"
WAITS = (
    (
        re.compile(r"(rendezvous|init_process_group|_create_c10d_store|TCPStore)"),
        "init_process_group hangs in the rendezvous: the other ranks never arrive",
    ),
    (
        re.compile(rf"distributed_c10d\.py.* in ({COLLECTIVES})\b"),
        "distributed training hangs: one rank waits in {0} which another rank never enters",
    ),
    (
        re.compile(r"dataloader\.py.* in (_try_get_data|_get_data|_next_data)"),
        "DataLoader with num_workers > 0 hangs: the main process waits for a batch that no worker gives",
    ),
    (
        re.compile(r"(queues|connection)\.py.* in (get|put|recv|_recv|poll)\b"),
        "multiprocessing hangs on a queue",
    ),
)


def stack_signal() -> int:
    """The signal that asks for a stack: one that no program uses; 0 where the system has no such signals."""
    first = getattr(signal, "SIGRTMIN", None)
    return int(first) + 11 if first is not None else 0


@dataclass(frozen=True, slots=True)
class Stack:
    """The stacks of one process, as faulthandler or py-spy wrote them: the innermost frame first."""

    pid: int
    text: str

    def places(self) -> tuple[tuple[str, int, str], ...]:
        """Where it is: of each thread that runs the user's code the frames, but those of the standard library,
        whose loops wait and look again.
        """
        found = []
        for thread in THREAD.split(self.text):
            frames = frames_of(thread)
            if any(is_users(frame) for frame in frames):
                found += [frame for frame in frames if is_users(frame) or LIBRARY_PACKAGES.search(frame[0])]
        return tuple(found)

    def user_frame(self) -> tuple[str, int, str] | None:
        """The user's innermost frame of the thread that asked; no launcher's script."""
        threads = sorted(THREAD.split(self.text), key=lambda thread: not thread.startswith("Current"))
        return next(filter(is_users, chain.from_iterable(map(frames_of, threads))), None)


def frames_of(text: str) -> list[tuple[str, int, str]]:
    return [(found["file"], int(found["line"]), found["function"]) for found in FRAME.finditer(text)]


def is_users(frame: tuple[str, int, str]) -> bool:
    return frame[0].endswith(".py") and not owner_of(frame[0])


class StallWatch:
    """Called now and then while a command runs; `stands` gives the stacks once it has stood still for `seconds`.

    What it prints tells nothing: a program may say every minute that it lives, and do nothing else.
    """

    def __init__(self, root: int, seconds: float) -> None:
        self.root, self.seconds = root, seconds
        self.blind = False  # it has run for so long, and no process could be looked into
        self._since = self._looked = time.monotonic()
        self._places: frozenset[object] = frozenset()
        self._told = False

    def stands(self) -> list[Stack]:
        """The stacks, once for each time that it turns out to stand still; else none."""
        now = time.monotonic()
        if now - self._looked < self.seconds / LOOKS:
            return []
        found = stacks(self.root)
        self._looked = now = time.monotonic()
        places = frozenset((stack.pid, stack.places()) for stack in found if stack.places())
        if places != self._places:
            self._since, self._places, self._told = now, places, False
        over = now - self._since >= self.seconds
        self.blind = over and not found
        if not over or self._told or not places:
            return []
        self._told = True
        return found


def stacks(root: int) -> list[Stack]:
    """The stacks of every Python process from `root` down: by py-spy where it is installed and may look, else
    by the signal that the hook registered.
    """
    pids = [root, *descendants(root)]
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


def question(found: Sequence[Stack]) -> str:
    """What they wait for as a question in words; "" where no known wait is among the frames."""
    for pattern, words in WAITS:
        for stack in found:
            for frame in FRAME.finditer(stack.text):
                match = pattern.search(frame[0])
                if match:
                    return words.format(match[1])
    return ""
