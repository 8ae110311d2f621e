"""Open files and the terminal that they may be."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable
from contextlib import suppress


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


def terminal_of(group: int) -> int | None:
    """A descriptor of the terminal whose foreground this process group has; None where it is none of ours."""
    for number in (0, 1, 2):
        with suppress(OSError):
            if os.tcgetpgrp(number) == group:
                return number
    return None


def copy_size(source: int, target: int) -> None:
    """Rows and columns of one terminal for another."""
    import fcntl
    import termios

    with suppress(OSError):
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8))
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)
