"""Ctrl-C in a long piece of work that goes through other people's imports.

Some libraries swallow a KeyboardInterrupt that falls into one of their imports (`except:` around an optional part); the work would
then go on as if nobody had pressed anything. Here it is remembered, and raised again at the next `check`, and at the end.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interrupts:
    """`with Interrupts() as interrupts:` and now and then `interrupts.check()`. Does nothing outside the main thread, or where
    somebody else handles the signal.
    """

    def __init__(self) -> None:
        self.seen = False
        self._ours = False

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._noted)
            self._ours = True
        return self

    def _noted(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        raise KeyboardInterrupt

    def check(self) -> None:
        """Raise KeyboardInterrupt if Ctrl-C was pressed since the start."""
        if self.seen:
            raise KeyboardInterrupt

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.seen and kind is not KeyboardInterrupt:
            raise KeyboardInterrupt
