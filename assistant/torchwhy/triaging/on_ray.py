"""The same work on a Ray cluster: a task a batch. Rows go from the workers to the folder; what passes the
driver is a file's name in, and six counts a batch out.

Tasks, not Ray Data: nothing is shuffled or joined before the rows are made, and docs/triage.md has the
measurement.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
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


def work(tried: TriedBatch) -> Done | str:
    """A batch in a worker of Ray; the worker's next one finds what this one remembered."""
    if not _worker:
        _worker.append(Worker())
    try:
        return _worker[0].work(tried.batch)
    except WriteError as error:
        return str(error)


def run_ray(ray: Any, batches: Iterator[Batch], part: MakePart) -> Iterator[Done]:
    """Every batch on the cluster, each exactly once, whatever nodes go. Raises WriteError."""
    again: deque[TriedBatch] = deque()

    def ended(tried: TriedBatch, why: str) -> Iterator[Done]:
        return lost(tried, f"its worker was ended ({why})", again, part)

    for answer in run_each(ray, work, map(TriedBatch, batches), again, ended):
        if isinstance(answer, str):
            raise WriteError(answer)
        yield answer


def run_each(
    ray: Any,
    function: Callable[[Piece], Any],
    pieces: Iterable[Piece],
    again: deque[Piece] | None = None,
    ended: Callable[[Piece, str], Iterator[Any]] | None = None,
) -> Iterator[Any]:
    """A function of each piece on the cluster; results as they come. Pieces of `again` come first.

    ended: what becomes of a piece whose worker is gone. Raises what the function raises without it.
    """
    task = ray.remote(max_retries=RETRIES)(function)
    most = IN_FLIGHT * max(1, int(ray.cluster_resources().get("CPU", 1)))
    left = iter(pieces)
    flying: dict[Any, Piece] = {}
    while True:
        while len(flying) < most:
            piece = again.popleft() if again else next(left, None)
            if piece is None:
                break
            flying[task.remote(piece)] = piece
        if not flying:
            return
        for each in ray.wait(list(flying), num_returns=1)[0]:
            piece = flying.pop(each)
            try:
                yield ray.get(each)
            except ray.exceptions.RayError as error:
                if ended is not None:
                    yield from ended(piece, type(error).__name__)
                elif isinstance(error, ray.exceptions.RayTaskError):
                    raise error.as_instanceof_cause() from None
                else:
                    raise
