"""Running a command with its output passed on, byte for byte.

Each of standard output and error that is a terminal becomes a pseudo-terminal of the same settings and size,
each other one a pipe; where both lead to the same place they share one, so that their order is kept. Standard
input and the controlling terminal stay the command's own, in one process group with torchwhy: Ctrl-C, Ctrl-Z,
`fg`, passwords and /dev/tty work because nothing stands between.
"""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from assistant.errors import UsageError
from assistant.runtime.system import signals

from .kept import KeptLog

CHUNK_BYTES = 1 << 16
TICK_S = 0.5  # between two calls of `on_tick`
DRAIN_S = 0.2  # silence after the command's end that ends the wait for what it wrote last
KEYBOARD = signals("SIGINT", "SIGQUIT")
FORWARDED = signals("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
NOT_FOUND, NOT_EXECUTABLE = 127, 126  # exit statuses, as a shell has them
SELECTABLE = 1024  # descriptors below this one are what `select` takes
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # nobody has gone: there is no room just now


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended.

    `status` is negative for a signal, as in subprocess; `text` is what is kept of both outputs;
    `interrupted`: Ctrl-C came on the way.
    """

    status: int
    text: str
    seconds: float
    interrupted: bool = False


@dataclass(slots=True)
class _Stream:
    """What the command writes into (`inner`, until it runs), where it is read (`outer`), where it goes
    (`target`).
    """

    target: int
    inner: int
    outer: int
    terminal: bool
    settings: list[object] = field(default_factory=list)
    open: bool = True


class Run:
    """One command. `wait` passes its output on until it ends."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], log: KeptLog | None = None) -> None:
        if os.name != "posix":
            raise UsageError(
                "`torchwhy run` needs Linux or macOS; pipe the output in: COMMAND 2>&1 | torchwhy"
            )
        self.log = log or KeptLog()
        self.interrupted = False
        self.last_output = time.monotonic()
        self._before: dict[int, object] = {}
        self._stopped = False
        self._streams = _streams()
        self._woken, self._wake = os.pipe()
        for number in (self._woken, self._wake):
            os.set_blocking(number, False)
        outputs = {
            number: stream.inner for stream in self._streams for number in _numbers(stream, self._streams)
        }
        self._early: list[int] | None = []  # signals that came before there was a process
        self._take_signals()
        try:
            # what it was given open (`<(...)`, `3>file`) is the command's; its own files are not inherited
            self.process = subprocess.Popen(
                list(command), env=dict(env), stdout=outputs[1], stderr=outputs[2], close_fds=False
            )
        except BaseException:
            self._give_signals_back()
            raise
        finally:
            for stream in self._streams:
                os.close(stream.inner)
        early, self._early = self._early, None
        for number in early or ():
            self._on_forwarded(number, None)

    # --- signals ---

    def _take_signals(self) -> None:
        """Each signal to torchwhy is one to the command.

        A handler, unlike SIG_IGN, is not inherited by it.
        """
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        wanted: list[tuple[Iterable[signal.Signals], Callable[[int, object], None]]] = [
            (KEYBOARD, self._on_keyboard),
            (FORWARDED, self._on_forwarded),
            ((signal.SIGWINCH,), self._on_resize),
            ((signal.SIGTSTP, signal.SIGCHLD, signal.SIGCONT), lambda number, frame: None),
        ]
        for numbers, handler in wanted:
            for number in numbers:
                if signal.getsignal(number) is signal.SIG_IGN and number != signal.SIGCHLD:
                    continue  # nohup, or a background job of a shell: the command ignores it as well
                self._before[number] = signal.signal(number, handler)

    def _give_signals_back(self) -> None:
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]
        os.close(self._woken)
        os.close(self._wake)

    def _on_keyboard(self, number: int, frame: object) -> None:
        if number == signal.SIGINT:
            self.interrupted = True
        if not _in_foreground():  # a terminal has told the whole group already; `kill -INT` only this process
            self._on_forwarded(number, frame)

    def _on_forwarded(self, number: int, frame: object) -> None:
        if self._early is not None:
            self._early.append(number)
            return
        if self.process.returncode is not None:
            return  # its number may be another process's by now
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, number)

    def _on_resize(self, number: int, frame: object) -> None:
        for stream in self._streams:
            if stream.terminal and stream.open:
                _copy_size(stream.target, stream.outer)
        self._on_forwarded(number, frame)

    # --- passing on ---

    def wait(self, on_tick: Callable[[], None] | None = None) -> Ended:
        """Pass everything on until the command has ended and its outputs are read."""
        started = ticked = time.monotonic()
        status: int | None = None
        ended = 0.0
        try:
            while True:
                moved = self._pass(TICK_S if status is None else DRAIN_S)
                now = time.monotonic()
                if status is None:
                    status = self._ended()
                    ended = now
                elif not moved or not any(stream.open for stream in self._streams):
                    break
                if on_tick and status is None and now - ticked >= TICK_S:
                    ticked = now
                    on_tick()
            self._leave_to_others()
        finally:
            self._restore_terminal()
            self._give_signals_back()
        return Ended(status, self.log.close(), ended - started, self.interrupted)

    def _pass(self, timeout: float) -> bool:
        """Wait for output or a signal, and pass on what there is; whether there was any."""
        by_number = {stream.outer: stream for stream in self._streams if stream.open}
        ready = _readable([*by_number, self._woken], timeout)
        if self._woken in ready:
            with suppress(BlockingIOError):
                os.read(self._woken, 4096)
        moved = False
        for number in ready:
            if number in by_number:
                moved = True
                self._move(by_number[number])
        return moved

    def _move(self, stream: _Stream) -> None:
        try:
            data = os.read(stream.outer, CHUNK_BYTES)
        except OSError:  # EIO: nobody has the terminal open any more
            data = b""
        if not data:
            stream.open = False
            os.close(stream.outer)
            return
        self.last_output = time.monotonic()
        if stream.terminal:
            _follow_settings(stream)
        try:
            _write(stream.target, data)
        except OSError as error:  # whoever reads us has gone: the command learns it as it would have
            if error.errno not in FULL:  # else what has no room is lost; a closed pipe would end the command
                stream.open = False
                os.close(stream.outer)
        self.log.feed(stream.target, data)

    def _ended(self) -> int | None:
        """The status once it has ended. While the command is stopped (Ctrl-Z), so is torchwhy."""
        try:
            pid, raw = os.waitpid(self.process.pid, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
        except ChildProcessError:
            pid, raw = self.process.pid, 0
        if pid == 0 or os.WIFCONTINUED(raw):
            return None
        if os.WIFSTOPPED(raw):
            while self._pass(0):
                pass
            os.kill(os.getpid(), signal.SIGSTOP)
            with suppress(ProcessLookupError):  # `kill -CONT` of this process alone
                os.kill(self.process.pid, signal.SIGCONT)
            return None
        status = os.waitstatus_to_exitcode(raw)
        self.process.returncode = status
        return status

    def _leave_to_others(self) -> None:
        """What the command left running goes on writing where it wrote: a copy of this process passes it
        on.
        """
        left = [stream for stream in self._streams if stream.open]
        if not left:
            return
        if os.fork() == 0:
            try:
                _pass_on_alone(left)
            finally:
                os._exit(0)
        for stream in left:
            os.close(stream.outer)

    def _restore_terminal(self) -> None:
        import termios

        for stream in self._streams:
            if stream.settings:
                with suppress(termios.error, OSError):
                    termios.tcsetattr(stream.target, termios.TCSADRAIN, stream.settings)  # type: ignore[arg-type]


def _pass_on_alone(streams: list[_Stream]) -> None:
    for one in (*KEYBOARD, *FORWARDED, signal.SIGTSTP, signal.SIGCHLD, signal.SIGWINCH):
        signal.signal(one, signal.SIG_DFL)
    by_number = {stream.outer: stream.target for stream in streams}
    while by_number:
        for number in _readable(list(by_number), None):
            try:
                data = os.read(number, CHUNK_BYTES)
                if data:
                    _write(by_number[number], data)
            except OSError as error:
                data = data if error.errno in FULL else b""
            if not data:
                del by_number[number]
                os.close(number)


def _streams() -> list[_Stream]:
    """How standard output and error are taken: one stream where both lead to the same place."""
    terminals = [os.isatty(number) for number in (1, 2)]
    if _same_place(1, 2):
        return [_pty(1) if terminals[0] else _pipe(1)]
    return [_pty(number) if terminal else _pipe(number) for number, terminal in enumerate(terminals, 1)]


def _numbers(stream: _Stream, streams: list[_Stream]) -> tuple[int, ...]:
    return (1, 2) if len(streams) == 1 else (stream.target,)


def _same_place(first: int, second: int) -> bool:
    try:
        one, two = os.fstat(first), os.fstat(second)
    except OSError:
        return False
    return (one.st_dev, one.st_ino, one.st_rdev) == (two.st_dev, two.st_ino, two.st_rdev)


def _pipe(target: int) -> _Stream:
    outer, inner = os.pipe()
    return _Stream(target, inner, outer, False)


def _pty(target: int) -> _Stream:
    """A pseudo-terminal as the real one is set, but that it changes no byte of the output: the real one does
    that.
    """
    import termios

    outer, inner = os.openpty()
    settings = termios.tcgetattr(target)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(inner, termios.TCSANOW, settings)
    _copy_size(target, outer)
    return _Stream(target, inner, outer, True)


def _copy_size(source: int, target: int) -> None:
    import fcntl
    import termios

    with suppress(OSError):
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8))
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)


def _follow_settings(stream: _Stream) -> None:
    """A program that draws whole screens sets its terminal by its output: echo and keys are those of the real
    one.
    """
    import termios

    try:
        theirs, real = termios.tcgetattr(stream.outer), termios.tcgetattr(stream.target)
        wanted = [theirs[0], real[1], real[2], theirs[3], *real[4:6], theirs[6]]
        if (wanted[0], wanted[3]) == (real[0], real[3]):
            return
        if not stream.settings:
            stream.settings = list(real)
        termios.tcsetattr(stream.target, termios.TCSANOW, wanted)
    except (termios.error, OSError):
        return


def _in_foreground() -> bool:
    """Whether this process group has the terminal, which then told all of it of Ctrl-C."""
    for number in (0, 1, 2):
        with suppress(OSError):
            return os.tcgetpgrp(number) == os.getpgrp()
    return False


def _readable(numbers: Sequence[int], timeout: float | None) -> list[int]:
    """Those that have something to read, or have ended."""
    if max(numbers) < SELECTABLE:
        return select.select(numbers, [], [], timeout)[0]
    poll = select.poll()  # whoever started torchwhy had a thousand files open, and handed them on
    for number in numbers:
        poll.register(number, select.POLLIN)
    return [number for number, _ in poll.poll(None if timeout is None else 1000 * timeout)]


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(target, view) :]
        except BlockingIOError:  # somebody made the descriptor non-blocking
            select.select([], [target], [])


def end_like(status: int) -> int:
    """End this process as the command ended: by the same signal, or with the exit status that is returned."""
    if status >= 0:
        return status
    import resource

    sys.stdout.flush()
    sys.stderr.flush()
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the command has left its core, if any
        signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
    return 128 - status  # a signal that ends nothing
