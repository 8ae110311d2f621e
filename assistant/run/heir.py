"""A process outside of torchwhy's group that waits for torchwhy to be killed.

SIGKILL is heard by nobody. To torchwhy alone it was meant for the command; to the whole group (a training
that ends all its own workers, `timeout -s KILL`) it must not cost what the command wrote last.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from .descriptors import close_others


class Heir:
    """Holds a copy of both ends of each output; `pass_on` gets those that are left then (target: outer).

    `folder`: the run's, which is removed then.
    """

    def __init__(
        self,
        command: int,
        outputs: Mapping[int, int],
        taken: Iterable[int],
        pass_on: Callable[[dict[int, int]], None],
        folder: str | None = None,
    ) -> None:
        held, self._hold = os.pipe()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, taken)
        try:
            self._pid = os.fork()
        except OSError:  # no process is left for it
            self._pid = -1
        if self._pid == 0:
            try:
                os.setsid()
                signal.set_wakeup_fd(-1)
                for number in taken:
                    if signal.getsignal(number) is not signal.SIG_IGN:
                        signal.signal(number, lambda number, frame: None)
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                pidfd = os.pidfd_open(command) if hasattr(os, "pidfd_open") else -1
                close_others([held, *{pidfd} - {-1}, *outputs, *outputs.values()])
                _wait(held, pidfd, dict(outputs), pass_on, folder)
            finally:
                os._exit(0)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.close(held)

    def forget(self, target: int) -> None:
        """An output is closed: a copy that stays open would keep from the command that nobody reads it."""
        if self._pid > 0:
            with suppress(OSError):
                os.write(self._hold, bytes([target]))
                os.kill(self._pid, signal.SIGCONT)

    def end(self) -> None:
        if self._pid > 0:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
        os.close(self._hold)
        self._pid = -1


def _wait(
    held: int,
    pidfd: int,
    outputs: dict[int, int],
    pass_on: Callable[[dict[int, int]], None],
    folder: str | None,
) -> None:
    while told := os.read(held, 1):
        os.close(outputs.pop(told[0]))
    if pidfd >= 0:
        with suppress(OSError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        os.close(pidfd)
    if folder:  # what the run's programs wrote down of their errors is for nobody now
        with suppress(RecursionError):
            shutil.rmtree(folder, ignore_errors=True)
    if outputs:
        pass_on(outputs)
