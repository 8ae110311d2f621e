"""Ctrl-C in a long piece of work that goes through other people's code.

Some libraries swallow a KeyboardInterrupt that falls into one of their imports (`except:` around an optional part); the work would
then go on as if nobody had pressed anything. Others are left in a bad state by it: `subprocess.Popen.poll` never gives its lock back
when one comes right after it took it, and the next `wait` waits for good. Here it is remembered, and raised at the next `check`, and
at the end.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interrupts:
    """`with Interrupts() as interrupts:` and now and then `interrupts.check()`. Does nothing outside the main thread, or where
    somebody else handles the signal. `hold`: it is raised nowhere else, so the work must check often.
    """

    def __init__(self, *, hold: bool = False) -> None:
        self.seen = False
        self.hold = hold
        self._ours = False

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._noted)
            self._ours = True
        return self

    def _noted(self, number: int, frame: FrameType | None) -> None:
        self.seen = True
        if not self.hold:
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
