"""A real terminal for a program: a session of its own on a pseudo-terminal, as a terminal window gives it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence

from tests.conftest import ROOT


def environment() -> dict[str, str]:
    """This environment, with this checkout's torchwhy in the path of every Python."""
    return {**os.environ, "PYTHONPATH": str(ROOT / "assistant")}


class Terminal:
    """`with Terminal(words) as terminal`: type into it, read what it shows, resize it."""

    def __init__(
        self, words: Sequence[str], cwd: str, env: Mapping[str, str], size: tuple[int, int] = (24, 80)
    ) -> None:
        self.seen = b""
        self.status: int | None = None
        self.pid, self.number = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execvpe(words[0], list(words), dict(env))
        self.resize(*size)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.number)

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.number, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys: bytes) -> None:
        os.write(self.number, keys)

    def _read(self, seconds: float) -> bool:
        if not select.select([self.number], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.number, 65536)
        except OSError:
            return False
        self.seen += data
        return bool(data)

    def wait_for(self, wanted: bytes | Callable[[bytes], bool], seconds: float = 60) -> None:
        """Until it shows this (or the function says yes). Raises AssertionError where it does not."""
        fits = wanted if callable(wanted) else lambda seen: wanted in seen
        end = time.monotonic() + seconds
        while not fits(self.seen):
            alive = self._read(0.1)
            assert time.monotonic() < end and (alive or fits(self.seen)), self.seen.decode(errors="replace")[
                -2000:
            ]

    def finish(self, seconds: float = 60) -> int:
        """Wait for the program's end and return its status (negative: a signal)."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._read(0.05)
            pid, raw = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while select.select([self.number], [], [], 0.1)[0] and self._read(0):
                    pass
                self.status = os.waitstatus_to_exitcode(raw)
                return self.status
        raise AssertionError(self.seen.decode(errors="replace")[-2000:])
