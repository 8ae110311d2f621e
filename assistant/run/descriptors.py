"""Open files and the terminal they may be: what is ready, what is closed, who has the foreground."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable, Sequence
from contextlib import suppress

SELECTABLE = 1024  # file descriptors of a lower number fit into `select`


def close_others(kept: Iterable[int]) -> None:
    """Close every file but these: whoever waits for the end of another one must not wait for this process."""
    first = 0
    for number in sorted(set(kept)):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, max(_open_files(), first))


def _open_files() -> int:
    """Above the number of every open file."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError, ValueError):
            return max(map(int, os.listdir(folder))) + 1
    return min(os.sysconf("SC_OPEN_MAX"), 1 << 16)


def readable(numbers: Sequence[int], timeout: float | None) -> list[int]:
    """Those of the files that have something to read, or have ended."""
    if max(numbers) < SELECTABLE:
        return select.select(numbers, [], [], timeout)[0]
    poll = select.poll()
    for number in numbers:
        poll.register(number, select.POLLIN)
    return [number for number, _ in poll.poll(None if timeout is None else int(timeout * 1000))]


def write_whole(target: int, data: bytes) -> None:
    """Write all of it, also where somebody made the file non-blocking. Raises OSError."""
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(target, view) :]
        except BlockingIOError:
            poll = select.poll()
            poll.register(target, select.POLLOUT)
            poll.poll()


def in_foreground(number: int) -> bool:
    """Whether this process group has the terminal."""
    with suppress(OSError):
        return os.tcgetpgrp(number) == os.getpgrp()
    return False


def foreground_of(group: int) -> int | None:
    """A descriptor of the terminal that this group has; None where it has none of ours."""
    for number in (0, 1, 2):
        with suppress(OSError):
            if os.tcgetpgrp(number) == group:
                return number
    return None
