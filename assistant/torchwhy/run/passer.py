"""The process that passes a command's standard error on, and keeps what can be looked up of it.

A process of its own, in a session of its own: it outlives torchwhy, so that standard error can be written to
by whatever the command leaves running, and hears when torchwhy is killed (SIGKILL is heard by nobody): the
command ends then as well, since whoever killed torchwhy meant it.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import stat
from contextlib import suppress
from typing import IO, cast

from torchwhy.runtime.descriptors import close_others, write_whole

CHUNK_BYTES = 1 << 16
BLOCK_BYTES = 1 << 18  # that the reader of errors is given at once
MARK_BYTES = 16
KEYS_TICK_MS, KEYS_BYTES = 200, 1024


class Passer:
    """`outer` is passed on to standard error until nobody can write to it any more; `folder` is removed where
    torchwhy is killed. Without `outer` it waits for that alone. It hears the signals that are not blocked.
    Raises OSError where no process is left for it.
    """

    def __init__(self, outer: int | None, folder: str | None) -> None:
        # what stands behind the command's last word: a byte that no text ends with, then a random number
        self._mark = b"\0" + os.urandom(MARK_BYTES - 1)
        held, self._hold = os.pipe()
        self._answer, answer = os.pipe()
        if os.fork() == 0:
            try:
                os.setsid()
                close_others([held, answer, *([2, outer] if outer is not None else [])])
                _Source(outer, held, self._mark, folder).run(answer)
            finally:
                os._exit(0)
        os.close(held)
        os.close(answer)

    def watch(self, command: int) -> None:
        """Tell it which process ends when this one is killed."""
        with suppress(OSError):
            os.write(self._hold, b"%d" % command)

    def text(self, inner: int) -> str:
        """What was written until now to `inner`, its other end, which is closed: a digest of a long text."""
        with suppress(OSError):  # whoever read it has gone
            write_whole(inner, self._mark)
        os.close(inner)
        with os.fdopen(self._answer, "rb") as file:
            return file.read().decode("utf-8", "replace")


class _Source:
    """The stream of bytes that the reader of errors pulls: each is passed on before."""

    def __init__(self, outer: int | None, held: int, mark: bytes, folder: str | None) -> None:
        self._outer, self._held, self._mark, self._folder = outer, held, mark, folder
        self._command = -1  # a descriptor of the command's process, where the system has them
        self._ended = False  # the command's own output, by its mark
        self._late = b""  # what may be the beginning of the mark
        self._rest = b""
        self._pid = 0
        self._real: list[object] | None = None  # settings of the real terminal, while keys are handed on
        self._terminal = outer is not None and os.isatty(2)
        self._poll = select.poll()
        self._poll.register(held, select.POLLIN)
        if outer is not None:
            self._poll.register(outer, select.POLLIN)
            if stat.S_ISFIFO(mode := os.fstat(2).st_mode) or stat.S_ISSOCK(mode):
                self._poll.register(2, 0)  # tells when nobody reads it any more

    def run(self, answer: int) -> None:
        """Read up to the mark, answer, and pass on what others write behind it."""
        text = ""
        with suppress(Exception):  # such as binary output: it is passed on all the same
            from torchwhy.paste.reading import read_text

            text = read_text(cast("IO[bytes]", self))
        while self.read():
            pass
        with suppress(OSError):
            write_whole(answer, text.encode("utf-8", "replace"))
        os.close(answer)
        while self._outer is not None or self._held >= 0:
            self._wait()

    def read(self, size: int = -1) -> bytes:
        """The next bytes; none behind the mark, or once nobody can write or read any more."""
        while not self._ended and len(self._rest) < BLOCK_BYTES:
            self._rest += self._wait()
        part, self._rest = (self._rest, b"") if size < 0 else (self._rest[:size], self._rest[size:])
        return part

    def _wait(self) -> bytes:
        data = b""
        for number, _ in self._poll.poll(KEYS_TICK_MS if self._terminal else None):
            if number == self._held:
                self._hear()
            elif number == self._outer:
                data += self._pass()
            elif number == 2 and self._real is not None:
                self._hand_keys_on()
            elif number == 2:
                self._close()
        if self._terminal:
            self._follow()
        return data

    # --- keys: a pager (`help()` in pdb) reads them where its standard error leads, which is no keyboard

    def _follow(self) -> None:
        """A program that has set its pseudo-terminal for keys has those of the real terminal meanwhile."""
        import termios

        with suppress(OSError, termios.error):
            theirs = termios.tcgetattr(self._outer) if self._outer is not None else None
            wants = theirs is not None and not theirs[3] & termios.ICANON and self._in_foreground()
            if wants == (self._real is not None):
                return
            if self._real is None and theirs is not None:
                real = termios.tcgetattr(2)
                # the output stays as it is: it is the real terminal's to change
                raw = [theirs[0], real[1], real[2], theirs[3], *real[4:6], theirs[6]]
                termios.tcsetattr(2, termios.TCSANOW, raw)
                self._poll.register(2, select.POLLIN)
                self._real = list(real)
            else:
                before, self._real = self._real or [], None
                self._poll.unregister(2)
                if self._in_foreground():  # else a shell has set it for itself
                    termios.tcsetattr(2, termios.TCSANOW, before)  # type: ignore[arg-type]

    def _hand_keys_on(self) -> None:
        with suppress(OSError):
            keys = os.read(2, KEYS_BYTES)
            if self._outer is not None:
                os.write(self._outer, keys)

    def _in_foreground(self) -> bool:
        """Whether the command's group has the terminal (Linux), or the command has ended, and left it so."""
        with suppress(OSError, IndexError):
            with open(f"/proc/{self._pid}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            return fields[2] == fields[5]
        return self._real is not None

    def _pass(self) -> bytes:
        """Pass on what there is; what of it is the command's."""
        assert self._outer is not None
        try:
            data = os.read(self._outer, CHUNK_BYTES)
        except OSError:  # EIO: nobody has the terminal open any more
            data = b""
        over = not data
        data, behind = self._late + data, b""
        self._late = b""
        if not self._ended and (at := data.find(self._mark)) >= 0:
            data, behind = data[:at], data[at + MARK_BYTES :]
            self._ended = True
        elif not self._ended and not over:
            cut = next((cut for cut in range(MARK_BYTES - 1, 0, -1) if data.endswith(self._mark[:cut])), 0)
            data, self._late = data[: len(data) - cut], data[len(data) - cut :]
        try:
            write_whole(2, data + behind)
        except OSError as error:
            # A full disk may have room again; who reads a pipe or has a terminal does not come back.
            over = over or isinstance(error, BrokenPipeError) or os.isatty(2)
        if over:
            self._close()
        return data

    def _close(self) -> None:
        """The command learns as without torchwhy that nobody reads it any more."""
        if self._outer is not None:
            if self._real is not None:
                self._follow()
            self._terminal = False
            self._poll.unregister(self._outer)
            os.close(self._outer)
            with suppress(KeyError):
                self._poll.unregister(2)
            os.close(2)
            self._outer, self._ended = None, True

    def _hear(self) -> None:
        told = os.read(self._held, 64)
        if told:
            self._pid = int(told)
            if hasattr(os, "pidfd_open"):
                with suppress(OSError):
                    self._command = os.pidfd_open(self._pid)
            return
        self._poll.unregister(self._held)  # torchwhy has ended: by itself behind the command, or before it
        self._held = -1
        self._ended = self._ended or self._outer is None
        with suppress(OSError):
            if self._command >= 0:
                signal.pidfd_send_signal(self._command, signal.SIGKILL)
        if self._folder:
            with suppress(RecursionError):  # a program may leave folders in folders without end
                shutil.rmtree(self._folder, ignore_errors=True)
