"""A run that stands still: no output and hardly any processor time for a while.

The stacks of its Python processes, and what they wait for in words that can be looked up.
"""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assistant.paste.line_patterns import LIBRARY_FILE
from assistant.text.plain import plain

from . import below, py_spy
from .passing import Run
from .records import read_file

IDLE_SHARE = 0.05  # of one processor; what waits in a poll uses some
ANSWER_S = 2.0  # for the stacks to be written
FRAME = re.compile(r'^  File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>.+)$', re.MULTILINE)
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

    def frames(self) -> list[tuple[str, int, str]]:
        return [(found["file"], int(found["line"]), found["function"]) for found in FRAME.finditer(self.text)]

    def user_frame(self) -> tuple[str, int, str] | None:
        """The user's innermost frame of the thread that asked; no launcher's script."""
        users = (frame for frame in self.frames() if not LIBRARY_FILE.search(frame[0]))
        return next((frame for frame in users if frame[0].endswith(".py")), None)


class StallWatch:
    """Called now and then while a command runs; `found` once it has stood still for `seconds`."""

    def __init__(self, run: Run, seconds: float) -> None:
        self.run, self.seconds = run, seconds
        self.since, self.used = time.monotonic(), 0.0
        self.told = False

    def stands(self) -> bool:
        """Whether it has just turned out to stand still; once for each time that it does."""
        now = time.monotonic()
        used = below.processor_seconds(self.run.process.pid)
        quiet = self.run.last_output <= self.since
        idle = used is None or used - self.used <= IDLE_SHARE * max(now - self.since, 0.5)
        if not quiet or not idle:
            self.since, self.used, self.told = now, used or 0.0, False
            return False
        if self.told or now - self.since < self.seconds:
            return False
        self.told = True
        return True


def stacks(root: int, folder: str) -> list[Stack]:
    """The stacks of every Python process below `root`: by py-spy where it is installed and may look, else by the
    signal that the hook registered.
    """
    number = stack_signal()
    pids = list(below.processes(root))
    # a handler of a program that took no hook in is its own
    asked = [pid for pid in pids if number and _path(folder, pid).exists() and below.answers(pid, number)]
    found = py_spy.dumps([pid for pid in pids if pid in asked or below.is_python(pid)])
    found.update(_by_signal([pid for pid in asked if pid not in found], number, folder))
    return [Stack(pid, plain(found[pid])) for pid in pids if found.get(pid)]


def _by_signal(pids: Sequence[int], number: int, folder: str) -> dict[int, str]:
    before = {pid: _size(folder, pid) for pid in pids}
    for pid in pids:
        with suppress(OSError):
            os.kill(pid, number)
    deadline = time.monotonic() + ANSWER_S
    while time.monotonic() < deadline and any(_size(folder, pid) == before[pid] for pid in pids):
        time.sleep(0.05)
    if pids:
        time.sleep(0.05)  # the last of them is still writing
    return {pid: _read(folder, pid, before[pid]) for pid in pids}


def _path(folder: str, pid: int) -> Path:
    return Path(folder, f"stack-{pid}.txt")


def _size(folder: str, pid: int) -> int:
    with suppress(OSError):
        return _path(folder, pid).stat().st_size
    return 0


def _read(folder: str, pid: int, start: int) -> str:
    return read_file(_path(folder, pid), start).decode("utf-8", "replace").strip()


def question(found: Sequence[Stack]) -> str:
    """What they wait for as a question in words; "" where no known wait is among the frames."""
    for pattern, words in WAITS:
        for stack in found:
            for frame in FRAME.finditer(stack.text):
                match = pattern.search(frame[0])
                if match:
                    return words.format(match[1])
    return ""
