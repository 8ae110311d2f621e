"""Ctrl-C in a long piece of work that goes through other people's code.

Some libraries swallow a KeyboardInterrupt that is raised during one of their imports (`except:` around an
optional part); the work would then go on as if nobody had pressed anything. Others are left in a bad state:
`subprocess.Popen.poll` never releases its lock when the interrupt comes right after it took it, and the next
`wait` waits for ever. So the interrupt is remembered here, and raised at the next `check` and at the end.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interrupts:
    """Use as `with Interrupts() as interrupts:` and call `interrupts.check()` now and then.

    Does nothing outside the main thread, or where another handler is set. `hold`: the interrupt is raised by
    `check` alone, so the work must call it often.
    """

    def __init__(self, *, hold: bool = False) -> None:
        self.seen = False
        self.hold = hold
        self._ours = False

    def __enter__(self) -> Interrupts:
        if (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        ):
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.seen and kind is not KeyboardInterrupt:
            raise KeyboardInterrupt
