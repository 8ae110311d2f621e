"""Open files and the terminal they may be: what is ready, what is closed, who has the foreground."""

from __future__ import annotations

import os
import select
import stat
import sys
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


def readable(numbers: Sequence[int], timeout: float | None, full: Sequence[int] = ()) -> list[int]:
    """Those of the files that have something to read, or have ended; none once one of `full` takes output."""
    if max((*numbers, *full)) < SELECTABLE:
        return select.select(numbers, full, [], timeout)[0]
    poll = select.poll()
    for number in numbers:
        poll.register(number, select.POLLIN)
    for number in full:
        poll.register(number, select.POLLOUT)
    found = poll.poll(None if timeout is None else int(timeout * 1000))
    return [number for number, _ in found if number not in full]


def takes(number: int) -> bool:
    """Whether a pipe or socket takes PIPE_BUF bytes without a wait, or nobody reads it any more."""
    poll = select.poll()
    poll.register(number, select.POLLOUT)
    return bool(poll.poll(0))


def waiting_bytes(number: int) -> int:
    """How much can be read of a pipe or a terminal; 0 also where it has ended."""
    import fcntl
    import termios

    size = bytearray(4)
    with suppress(OSError):
        fcntl.ioctl(number, termios.FIONREAD, size)
    return int.from_bytes(size, sys.byteorder)


def can_be_full(number: int) -> bool:
    """Whether its reader may take nothing for a while; a file always takes, a terminal has none."""
    with suppress(OSError):
        mode = os.fstat(number).st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    return False


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
