"""Workers on this machine: processes of their own that are given batches. One that is killed costs nothing
but time.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from torchwhy.errors import UsageError
from torchwhy.runtime.import_path import own_python

from .parts import PartWriter, WriteError
from .row import Look
from .sources import shown
from .work import Batch, Done, Worker

MAX_TRIES = 3  # of a single file whose workers end
WORKER = "from torchwhy.triaging.pool import serve; serve({fd})"
MakePart = Callable[[str], PartWriter]


class TriedBatch(NamedTuple):
    """A batch, and how often its worker ended."""

    batch: Batch
    times: int = 0


def serve(fd: int) -> None:
    """A worker's life: batches in, what became of them out, until the other side goes."""
    connection = Connection(fd)
    worker = Worker()
    while True:
        try:
            batch = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer: Done | str = worker.work(batch)
        except UsageError as error:
            answer = str(error)
        try:
            connection.send(answer)
        except OSError:
            return


class _Process:
    """One worker."""

    def __init__(self) -> None:
        here, there = socket.socketpair()
        with there:
            command = own_python(WORKER.format(fd=there.fileno()))
            self.process = subprocess.Popen(command, pass_fds=[there.fileno()], stdin=subprocess.DEVNULL)
        self.connection = Connection(here.detach())
        self.at: TriedBatch | None = None

    def give(self, tried: TriedBatch) -> bool:
        """Hand a batch over; False where the worker is gone."""
        self.at = tried
        try:
            self.connection.send(tried.batch)
        except OSError:
            return False
        return True

    def end(self) -> int:
        self.connection.close()
        self.process.kill()
        return self.process.wait()


def run_alone(batches: Iterator[Batch]) -> Iterator[Done]:
    """Every batch in this process."""
    worker = Worker()
    yield from map(worker.work, batches)


def run_pool(batches: Iterator[Batch], workers: int, part: MakePart) -> Iterator[Done]:
    """Every batch on so many processes, each exactly once. Raises WriteError where a result cannot be
    written.
    """
    if workers <= 1 or os.name != "posix":
        yield from run_alone(batches)
        return
    again: deque[TriedBatch] = deque()
    crew: list[_Process] = []
    busy: dict[Connection, _Process] = {}

    def following() -> TriedBatch | None:
        if again:
            return again.popleft()
        batch = next(batches, None)
        return TriedBatch(batch) if batch is not None else None

    try:
        while True:
            idle = [each for each in crew if each.connection not in busy]
            while len(busy) < workers and (tried := following()) is not None:
                process = idle.pop() if idle else _Process()
                if process not in crew:
                    crew.append(process)
                busy[process.connection] = process
                process.give(tried)  # one that is gone already shows below
            if not busy:
                return
            for ready in wait(list(busy)):
                process = busy.pop(ready)  # type: ignore[call-overload]
                try:
                    answer = process.connection.recv()
                except (EOFError, OSError):
                    crew.remove(process)
                    yield from _ended(process, process.end(), again, part)
                    continue
                if isinstance(answer, str):
                    raise WriteError(answer)
                yield answer
    finally:
        for process in crew:
            process.end()


def _ended(process: _Process, status: int, again: deque[TriedBatch], part: MakePart) -> Iterator[Done]:
    """A batch whose worker ended goes on in halves; one file that ends each of its workers is unreadable."""
    if process.at is not None:
        yield from lost(process.at, f"its worker was ended (status {status})", again, part)


def lost(tried: TriedBatch, why: str, again: deque[TriedBatch], part: MakePart) -> Iterator[Done]:
    """What becomes of a batch whose worker is gone."""
    batch, times = tried.batch, tried.times + 1
    half = len(batch.sources) // 2
    if half:
        for number, sources in enumerate((batch.sources[:half], batch.sources[half:])):
            again.append(TriedBatch(batch._replace(name=f"{batch.name}{'ab'[number]}", sources=sources)))
    elif times < MAX_TRIES:
        again.append(TriedBatch(batch, times))
    else:
        source = batch.sources[0]
        with part(batch.name) as writing:
            name = shown(source.path)
            writing.add(
                Look(
                    name, "unreadable", source.size, source.mtime, run=batch.run, why=f"{why}, {times} times"
                )
            )
        yield Done(1, source.size)
