"""What one file can cost, whatever it unpacks to: a few kilobytes may stand for terabytes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY_BYTES = 2 << 30  # beside what this process holds
MIN_SECONDS, BYTES_A_SECOND = 60.0, 4 << 20  # that any file may take, and what of its size earns it one more
AGAIN_S = 0.5


@contextmanager
def bounded(size: int) -> Iterator[None]:
    """Read a file of so many bytes within it. Raises TimeoutError where that takes too long (in the main
    thread), OSError where it takes too much memory (on Linux).
    """
    seconds = MIN_SECONDS + size / BYTES_A_SECOND
    try:
        with _less_memory(), _clock(seconds):
            yield
    except MemoryError:
        raise OSError(f"takes more than {MEMORY_BYTES >> 30} GiB of memory to read") from None


@contextmanager
def _less_memory() -> Iterator[None]:
    try:
        import resource

        held = int(Path("/proc/self/statm").read_text("ascii").split()[5]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [held + MEMORY_BYTES, *(each for each in (soft, hard) if each != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@contextmanager
def _clock(seconds: float) -> Iterator[None]:
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(number: int, frame: object) -> None:
        raise TimeoutError(f"takes more than {seconds:.0f} s to read")

    handler = signal.signal(signal.SIGALRM, late)
    # again after that: where it interrupts a finalizer or the collector, Python passes over what it raises
    before = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, handler)


@contextmanager
def undisturbed() -> Iterator[None]:
    """What is written within it is written whole: the clock waits."""
    if os.name != "posix":
        yield
        return
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
