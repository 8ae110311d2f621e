"""The same work on a Ray cluster: a task a batch. Rows go from the workers to the folder; what passes the
driver is a file's name in, and six counts a batch out.

Tasks, not Ray Data: nothing is shuffled or joined before the rows are made, and docs/triage.md has the
measurement.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from torchwhy.errors import UsageError
from torchwhy.runtime.install import install_line
from torchwhy.text.plain import escaped

from .parts import WriteError
from .pool import MakePart, TriedBatch, lost
from .work import Batch, Done, Worker

IN_FLIGHT = 3  # tasks a processor of the cluster, so that none waits for the driver
RETRIES = 2  # of Ray itself, before a batch is cut in halves
_worker: list[Worker] = []
Piece = TypeVar("Piece")


def connect(address: str) -> Any:
    """Ray, connected: `auto`, `local` or an address. Raises UsageError without Ray or without a cluster."""
    try:
        import ray
    except ImportError:
        raise UsageError(f"--ray needs Ray: {install_line('ray')}") from None
    if not ray.is_initialized():
        try:
            ray.init(
                address=None if address == "local" else address, log_to_driver=False, logging_level="ERROR"
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise UsageError(f"--ray {escaped(address)}: {escaped(str(error)[:200])}") from error
    return ray


def work(batch: Batch) -> Done | str:
    """A batch in a worker of Ray; the worker's next one finds what this one remembered."""
    if not _worker:
        _worker.append(Worker())
    try:
        return _worker[0].work(batch)
    except WriteError as error:
        return str(error)


def run_ray(ray: Any, batches: Iterator[Batch], part: MakePart) -> Iterator[Done]:
    """Every batch on the cluster, each exactly once, whatever nodes go. Raises WriteError."""
    task = ray.remote(max_retries=RETRIES)(work)
    most = IN_FLIGHT * max(1, int(ray.cluster_resources().get("CPU", 1)))
    again: deque[TriedBatch] = deque()
    flying: dict[Any, TriedBatch] = {}
    while True:
        while len(flying) < most:
            if again:
                tried = again.popleft()
            elif (batch := next(batches, None)) is not None:
                tried = TriedBatch(batch)
            else:
                break
            flying[task.remote(tried.batch)] = tried
        if not flying:
            return
        ready, _ = ray.wait(list(flying), num_returns=1)
        for each in ready:
            tried = flying.pop(each)
            try:
                answer = ray.get(each)
            except ray.exceptions.RayError as error:
                yield from lost(tried, f"its worker was ended ({type(error).__name__})", again, part)
                continue
            if isinstance(answer, str):
                raise WriteError(answer)
            yield answer


def run_each(ray: Any, function: Callable[[Piece], Any], pieces: Sequence[Piece]) -> Iterator[Any]:
    """A function of each piece on the cluster; results as they come. Raises what the function raises."""
    task = ray.remote(max_retries=RETRIES)(function)
    most = IN_FLIGHT * max(1, int(ray.cluster_resources().get("CPU", 1)))
    left = iter(pieces)
    flying: list[Any] = []
    while True:
        while len(flying) < most and (piece := next(left, None)) is not None:
            flying.append(task.remote(piece))
        if not flying:
            return
        ready, flying = ray.wait(flying, num_returns=1)
        try:
            yield from ray.get(ready)
        except ray.exceptions.RayTaskError as error:
            raise error.as_instanceof_cause() from None
