"""A bound on the time of one rule in one file."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

from torchwhy.source.module import TooMuchError

AGAIN_S = 0.5  # a rule can catch what ends it


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """So much of the processor's time: then TooMuchError is raised in whatever runs. No bound where the
    system has no such clock (Windows), on another thread than the main one, and where the program that this
    is part of uses the signal itself.
    """
    clock = getattr(signal, "SIGVTALRM", None)
    on_main = threading.current_thread() is threading.main_thread()
    if clock is None or not on_main or signal.getsignal(clock) is not signal.SIG_DFL:
        yield
        return
    over = False

    def end(*_: object) -> None:
        if not over:
            raise TooMuchError("it would take too long")

    signal.signal(clock, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN_S)
    try:
        try:
            yield
        finally:
            over = True
    finally:  # also where the time ends just before that line
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(clock, signal.SIG_DFL)
