"""Running a command with its output passed on, byte for byte.

Each of standard output and error that is a terminal becomes a pseudo-terminal of the same settings and size,
each other one a pipe; where both lead to the same place they share one, so that their order is kept. Standard
input and the controlling terminal stay the command's own, in one process group with torchwhy: Ctrl-C, Ctrl-Z,
`fg`, passwords and /dev/tty work because nothing stands between.
"""

from __future__ import annotations

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
LAST_WORDS_S = 2.0  # after the command's end, where what it left running prints without a pause
KEYBOARD = signals("SIGINT", "SIGQUIT")
STOPS = signals("SIGTSTP", "SIGTTIN", "SIGTTOU")
# What says that this process itself did something, or that tells of its own children, is not passed on.
OWN = signals(
    "SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT", "SIGTRAP", "SIGSYS", "SIGEMT", "SIGPIPE", "SIGXFSZ"
)
NOT_TAKEN = (*OWN, *STOPS, *signals("SIGKILL", "SIGSTOP", "SIGCHLD", "SIGCONT"))
FORWARDED = tuple(sorted(signal.valid_signals() - {*NOT_TAKEN, *KEYBOARD}))
HEARD_S = 0.1  # in which a signal to the whole group has reached all of it
STOPPED_TOGETHER_S = 10.0  # between Ctrl-Z and the stop of a program that saves something first
SELECTABLE = 1024  # file descriptors of a lower number fit into `select`
NOT_FOUND, NOT_EXECUTABLE = 127, 126  # exit statuses, as a shell has them


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended.

    `status` is negative for a signal, as in subprocess; `text` is what is kept of both outputs;
    `interrupted`: Ctrl-C came on the way; `lost`: why some of its output could not be written.
    """

    status: int
    text: str
    seconds: float
    interrupted: bool = False
    lost: str = ""


@dataclass(slots=True)
class _Stream:
    """What the command writes into (`inner`, until it runs), where it is read (`outer`), where it goes
    (`target`).
    """

    target: int
    inner: int
    outer: int
    terminal: bool
    settings: list[object] = field(default_factory=list)  # of the real terminal, where they were changed
    own: list[object] = field(default_factory=list)  # of the pseudo-terminal, when they were looked at
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
        self._stop_told = float("-inf")
        self._lost = ""
        self._streams = _streams()
        self._woken, self._wake = os.pipe()
        for number in (self._woken, self._wake):
            os.set_blocking(number, False)
        outputs = {
            number: stream.inner for stream in self._streams for number in _numbers(stream, self._streams)
        }
        self._early: list[int] | None = []  # signals that came before there was a process
        self._witness = _Witness()
        self._take_signals()
        try:
            # What it was given beside the three, it keeps: `COMMAND <(...)` of a shell, a lock, a job server.
            self.process = subprocess.Popen(
                list(command),
                env=dict(env),
                stdout=outputs.get(1),
                stderr=outputs.get(2),
                close_fds=False,
            )
        except BaseException:
            self._give_signals_back()
            raise
        finally:
            for stream in self._streams:
                os.close(stream.inner)
        early, self._early = self._early, None
        for number in early or ():
            self._send(number)

    # --- signals ---

    def _take_signals(self) -> None:
        """Each signal to torchwhy is one to the command.

        A handler, unlike SIG_IGN, is not inherited by it.
        """
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        wanted: list[tuple[Iterable[int], Callable[[int, object], None]]] = [
            (KEYBOARD, self._on_keyboard),
            (FORWARDED, self._on_forwarded),
            ((signal.SIGWINCH,), self._on_resize),
            ((signal.SIGTSTP,), self._on_stop),
            ((signal.SIGCHLD, signal.SIGCONT), lambda number, frame: None),
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
        self._witness.end()

    def _on_keyboard(self, number: int, frame: object) -> None:
        if number == signal.SIGINT:
            self.interrupted = True
        self._on_forwarded(number, frame)

    def _on_stop(self, number: int, frame: object) -> None:
        self._stop_told = time.monotonic()
        self._on_forwarded(number, frame)

    def _on_forwarded(self, number: int, frame: object) -> None:
        """A terminal, a scheduler or `kill -- -GROUP` has told the whole group; `kill` only this process."""
        if self._early is not None:
            self._early.append(number)
        elif not self._witness.heard(number):
            self._send(number)

    def _send(self, number: int) -> None:
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
                elif (
                    not moved
                    or not any(stream.open for stream in self._streams)
                    or now - ended > LAST_WORDS_S
                ):
                    break
                if on_tick and status is None and now - ticked >= TICK_S:
                    ticked = now
                    on_tick()
            self._leave_to_others()
        finally:
            self._restore_terminal()
            self._give_signals_back()
        return Ended(status, self.log.close(), ended - started, self.interrupted, self._lost)

    def _pass(self, timeout: float) -> bool:
        """Wait for output or a signal, and pass on what there is; whether there was any."""
        by_number = {stream.outer: stream for stream in self._streams if stream.open}
        ready = _readable([*by_number, self._woken, *self._witness.ear], timeout)
        if self._woken in ready:
            with suppress(BlockingIOError):
                os.read(self._woken, 4096)
        self._witness.listen()
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
        except OSError as error:
            if stream.terminal or isinstance(error, BrokenPipeError):
                # whoever reads us has gone: the command learns it as it would have
                stream.open = False
                os.close(stream.outer)
            else:  # a full disk: there may be room again, and a training goes on meanwhile
                self._lost = error.strerror or str(error)
        self.log.feed(stream.target, data)

    def _ended(self) -> int | None:
        """The status once it has ended. While the terminal stops the command (Ctrl-Z), torchwhy stops too.

        Not where the command alone is stopped: whoever does that (`kill -STOP`) lets it alone go on, too.
        """
        try:
            pid, raw = os.waitpid(self.process.pid, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
        except ChildProcessError:
            pid, raw = self.process.pid, 0
        if pid == 0 or os.WIFCONTINUED(raw):
            return None
        if os.WIFSTOPPED(raw):
            while self._pass(0):
                pass
            told = time.monotonic() - self._stop_told < STOPPED_TOGETHER_S
            if not told and os.WSTOPSIG(raw) not in (signal.SIGTTIN, signal.SIGTTOU):
                return None
            self._stop_told = float("-inf")
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
            if stream.settings and _in_foreground(stream.target):
                with suppress(termios.error, OSError):
                    termios.tcsetattr(stream.target, termios.TCSADRAIN, stream.settings)  # type: ignore[arg-type]


def _pass_on_alone(streams: list[_Stream]) -> None:
    signal.set_wakeup_fd(-1)
    for one in (*KEYBOARD, *FORWARDED, signal.SIGTSTP, signal.SIGCHLD, signal.SIGCONT):
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, signal.SIG_DFL)
    by_number = {stream.outer: stream.target for stream in streams}
    _close_others([*by_number, *by_number.values()])
    while by_number:
        for number in _readable(list(by_number), None):
            try:
                data = os.read(number, CHUNK_BYTES)
            except OSError:
                data = b""
            if data:
                try:
                    _write(by_number[number], data)
                except BrokenPipeError:
                    data = b""
                except OSError:
                    if os.isatty(number):
                        data = b""
            if not data:
                target = by_number.pop(number)
                os.close(number)
                os.close(target)


def _close_others(kept: Iterable[int]) -> None:
    """Close every file but these: whoever waits for the end of another one must not wait for this process."""
    first = 0
    for number in sorted(set(kept)):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, max(_open_files(), first))


def _open_files() -> int:
    """Above the number of every open file."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        with suppress(OSError, ValueError):
            return max(map(int, os.listdir(folder))) + 1
    return min(os.sysconf("SC_OPEN_MAX"), 1 << 16)


def _readable(numbers: Sequence[int], timeout: float | None) -> list[int]:
    """Those of the files that have something to read, or have ended."""
    if max(numbers) < SELECTABLE:
        return select.select(numbers, [], [], timeout)[0]
    poll = select.poll()
    for number in numbers:
        poll.register(number, select.POLLIN)
    return [number for number, _ in poll.poll(None if timeout is None else int(timeout * 1000))]


class _Witness:
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
                return number in KEYBOARD and any(map(_in_foreground, (0, 1, 2)))
            if now >= until:
                return False
            _readable(self.ear, until - now)

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
    _close_others((inner, held))
    os.read(held, 1)


def _streams() -> list[_Stream]:
    """How standard output and error are taken: one stream where both lead to the same place.

    A terminal beside which none can be made stays the command's own, and nothing of it is kept.
    """
    streams = []
    for number in (1,) if _same_place(1, 2) else (1, 2):
        with suppress(OSError):
            streams.append(_pty(number) if os.isatty(number) else _pipe(number))
    return streams


def _numbers(stream: _Stream, streams: list[_Stream]) -> tuple[int, ...]:
    return (1, 2) if _same_place(1, 2) else (stream.target,)


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
    return _Stream(target, inner, outer, True, own=termios.tcgetattr(inner))


def _copy_size(source: int, target: int) -> None:
    import fcntl
    import termios

    with suppress(OSError):
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8))
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)


def _follow_settings(stream: _Stream) -> None:
    """A program that draws whole screens sets its terminal by its output: echo and keys are those of the real
    one.

    Only what was set there: what it sets by its input (a password without echo) is the real one's own, and
    so is what a shell sets for another program while this one is in the background.
    """
    import termios

    try:
        theirs = termios.tcgetattr(stream.outer)
        if theirs == stream.own or not _in_foreground(stream.target):
            return
        stream.own, real = list(theirs), termios.tcgetattr(stream.target)
        wanted = [theirs[0], real[1], real[2], theirs[3], *real[4:6], theirs[6]]
        if (wanted[0], wanted[3]) == (real[0], real[3]):
            return
        if not stream.settings:
            stream.settings = list(real)
        termios.tcsetattr(stream.target, termios.TCSANOW, wanted)
    except (termios.error, OSError):
        return


def _in_foreground(number: int) -> bool:
    """Whether this process group has the terminal."""
    with suppress(OSError):
        return os.tcgetpgrp(number) == os.getpgrp()
    return False


def _write(target: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        try:
            view = view[os.write(target, view) :]
        except BlockingIOError:  # somebody made the descriptor non-blocking
            poll = select.poll()
            poll.register(target, select.POLLOUT)
            poll.poll()


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
