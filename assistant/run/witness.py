"""Whether a signal went to the whole process group, and so to the command as well, or to torchwhy alone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable
from contextlib import suppress

from assistant.runtime.system import signals

from .descriptors import close_others, in_foreground, readable

KEYBOARD = signals("SIGINT", "SIGQUIT")
STOPS = signals("SIGTSTP", "SIGTTIN", "SIGTTOU")
# What says that this process itself did something, or that tells of its own children, is not passed on.
OWN = signals(
    "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGTRAP", "SIGSYS", "SIGEMT", "SIGPIPE", "SIGXFSZ"
)
NOT_TAKEN = (*OWN, *STOPS, *signals("SIGKILL", "SIGSTOP", "SIGCHLD", "SIGCONT"))
FORWARDED = tuple(sorted(signal.valid_signals() - {*NOT_TAKEN, *KEYBOARD}))
HEARD_S = 0.3  # in which a signal to the whole group has reached all of it, also on a loaded machine


class Witness:
    """A process beside the command, in one group with it, that does nothing but hear.

    What it hears as well was sent to the whole group: the command has it already. It ends when torchwhy does.
    """

    def __init__(self) -> None:
        self._last: dict[int, float] = {}
        outer, inner = os.pipe()
        held, self._hold = os.pipe()
        for number in (outer, inner):
            os.set_blocking(number, False)
        self.ear = [outer]  # none once somebody has ended it
        self._open = (outer, self._hold)
        taken = {*KEYBOARD, *FORWARDED, *signals("SIGTSTP")}
        before = signal.pthread_sigmask(signal.SIG_BLOCK, taken)
        try:
            self._pid = os.fork()
        except OSError:  # no process is left for it: then every signal is passed on
            self._pid = -1
        if self._pid == 0:
            try:
                _hear(taken, before, inner, held)
            finally:
                os._exit(0)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(inner)
        os.close(held)

    def listen(self) -> None:
        """Note what it has heard by now."""
        now = time.monotonic()
        for ear in tuple(self.ear):
            with suppress(BlockingIOError):
                heard = os.read(ear, 4096)
                self._last.update(dict.fromkeys(heard, now))
                if not heard:
                    self.ear = []

    def heard(self, number: int) -> bool:
        """Whether a signal that has just come went to the whole group."""
        until = time.monotonic() + HEARD_S
        while True:
            self.listen()
            now = time.monotonic()
            if now - self._last.pop(number, float("-inf")) <= 1:
                return True
            if not self.ear:
                return number in KEYBOARD and any(map(in_foreground, (0, 1, 2)))
            if now >= until:
                return False
            readable(self.ear, until - now)

    def end(self) -> None:
        for number in self._open:
            os.close(number)
        self.ear = []
        if self._pid > 0:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._pid, signal.SIGKILL)  # also where it is stopped
                os.waitpid(self._pid, 0)


def _hear(taken: Iterable[int], before: Iterable[int], inner: int, held: int) -> None:
    signal.set_wakeup_fd(inner, warn_on_full_buffer=False)
    for number in taken:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, frame: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    close_others((inner, held))
    os.read(held, 1)
