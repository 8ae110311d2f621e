"""Running a command that inherits what it can: standard input and output, the terminal, the process group.

Standard error alone is passed on, by `passer.py`: a terminal becomes a pseudo-terminal of the same settings
and size, a pipe a pipe. A regular file is inherited as well, and read afterwards. What the terminal sends to
the group the command has; what `kill` sends to torchwhy goes on to it, once for each that comes.
"""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from torchwhy.errors import UsageError
from torchwhy.runtime.descriptors import copy_size, terminal_of
from torchwhy.runtime.system import signals

from .passer import Passer

TICK_S = 0.5  # between two calls of `on_tick`
MAX_WAIT_S = 3600.0
LOOK_S = 0.05  # between two looks at the signals that came, where the system has no `sigtimedwait`
STOPS = signals("SIGTSTP", "SIGTTIN", "SIGTTOU")
KEYBOARD = signals("SIGINT", "SIGQUIT", "SIGTSTP", "SIGWINCH")
NOT_TAKEN = signals("SIGKILL", "SIGSTOP")
OWN_WORDS = "torchwhy: "  # begins each line that `cli.output.tell` writes


@dataclass(frozen=True, slots=True)
class CommandEnd:
    """How a command ended.

    `status` is negative for a signal, as in subprocess; `text` is what was kept of standard error, and of
    standard output where both led to one file (`both`); `interrupted`: Ctrl-C came on the way.
    """

    status: int
    text: str
    interrupted: bool = False
    both: bool = False


class Run:
    """One command, started at once. `wait` gives its status, then `ended` the rest.

    From here to the end of `wait` each signal is taken for the command. `folder` is removed where torchwhy is
    killed. Raises OSError where the command cannot be started.
    """

    def __init__(self, command: Sequence[str], env: Mapping[str, str], folder: str | None = None) -> None:
        if os.name != "posix":
            raise UsageError(
                "`torchwhy run` needs Linux or macOS; pipe the output in: COMMAND 2>&1 | torchwhy"
            )
        self.interrupted = False
        self.status: int | None = None
        self._stopped = 0  # the signal that stops the command now
        self._told_to_stop = False
        self._taken = {*signal.valid_signals()} - {*NOT_TAKEN}
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # else its status would be lost
        self._before = signal.pthread_sigmask(signal.SIG_BLOCK, self._taken)
        try:
            self._file_start = _file_start()
            self._inner = self._passer = None
            with suppress(OSError):  # neither a pseudo-terminal nor a process is left: nothing is read
                outer, inner = _stand_in()
                self._passer = Passer(outer, folder)
                self._inner = inner
                if outer is not None:
                    os.close(outer)
            self.pid = _started(list(command), dict(env), self._inner, self._before)
        except BaseException:
            self._release()
            raise
        if self._passer is not None:
            self._passer.watch(self.pid)

    def _release(self) -> None:
        for _ in iter(lambda: self._next_signal(0), None):
            pass  # it came for a command that has ended
        signal.pthread_sigmask(signal.SIG_SETMASK, self._before)

    def wait(self, on_tick: Callable[[], None] | None = None) -> int:
        """The status once it has ended; `on_tick` is called now and then on a thread of its own."""
        over = threading.Event()

        def tick() -> None:
            while on_tick is not None and not over.wait(TICK_S):
                on_tick()

        ticking = threading.Thread(target=tick, daemon=True)
        if on_tick is not None:
            with suppress(RuntimeError):  # the system has no thread left
                ticking.start()
        has_terminal = os.getpid() == os.getpgrp() and any(map(os.isatty, (0, 1, 2)))
        try:
            while self.status is None:
                came = self._next_signal(TICK_S if has_terminal else None)
                if came is None:
                    self._hand_over()  # nothing tells when a command makes a group
                elif came[0] != signal.SIGCHLD:
                    self._take(*came)
                self._look()
        finally:
            over.set()
            self._take_terminal()
            self._release()
        if ticking.ident is not None:
            ticking.join()
        return self.status

    def ended(self) -> CommandEnd:
        """All of it, once all that the command wrote is passed on."""
        assert self.status is not None
        text, both = "", False
        if self._file_start is not None:
            text, both = _written_since(self._file_start) if self.status else "", _same_file(1, 2)
        elif self._passer is not None and self._inner is not None:
            inner, self._inner = self._inner, None
            text = self._passer.text(inner)
        return CommandEnd(self.status, text, self.interrupted, both)

    # --- signals ---

    def _next_signal(self, seconds: float | None) -> tuple[int, bool] | None:
        """The next signal that has come or comes: its number, and whether a process sent it, not the kernel
        (a terminal's keys, this process's own doings). None after so many seconds.
        """
        if hasattr(signal, "sigtimedwait"):
            wait = MAX_WAIT_S if seconds is None else seconds
            if (found := signal.sigtimedwait(self._taken, wait)) is None:
                return None
            return found.si_signo, found.si_code <= 0 and found.si_pid != os.getpid()
        end = float("inf") if seconds is None else time.monotonic() + seconds
        while not (waiting := signal.sigpending() & self._taken):
            if time.monotonic() >= end:
                return None
            time.sleep(LOOK_S)
        number = signal.sigwait(waiting)
        return number, number not in KEYBOARD or terminal_of(os.getpgrp()) is None

    def _take(self, number: int, sent: bool) -> None:
        """Pass a signal on that the command does not have already."""
        self.interrupted = self.interrupted or number == signal.SIGINT
        self._told_to_stop = (self._told_to_stop or number in STOPS) and number != signal.SIGCONT
        if number == signal.SIGWINCH and self._inner is not None and os.isatty(self._inner):
            copy_size(2, self._inner)
            sent = True  # the terminal told it, maybe before the size was here
        if sent:
            self._send(number)
        elif (group := self._own_group()) and number != signal.SIGXCPU:
            self._send(number, group)

    def _send(self, number: int, group: int = 0) -> None:
        if self.status is None:  # else its number may be another process's
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, number) if group else os.kill(self.pid, number)

    def _look(self) -> None:
        """What has become of the command. Once it was told to stop and has, torchwhy stops as well.

        Not where it alone is stopped: whoever does that (`kill -STOP`) lets it alone go on, too.
        """
        while self.status is None:
            try:
                pid, raw = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED | os.WCONTINUED)
            except ChildProcessError:
                pid, raw = self.pid, 0
            if pid == 0:
                break
            if os.WIFSTOPPED(raw):
                self._stopped = os.WSTOPSIG(raw)
            elif os.WIFCONTINUED(raw):
                self._stopped = 0
            else:
                self.status, self._stopped = os.waitstatus_to_exitcode(raw), 0
        if not self._stopped or (self._stopped in (signal.SIGTTIN, signal.SIGTTOU) and self._hand_over()):
            return
        told = self._told_to_stop or signal.sigpending() & {*STOPS}
        # A program that reads Ctrl-Z as a key stops itself; one with its own group has it from the keyboard.
        has_keys = self._stopped == signal.SIGTSTP and terminal_of(os.getpgrp()) is not None
        if told or has_keys or ((group := self._own_group()) and terminal_of(group) is not None):
            self._stopped, self._told_to_stop = 0, False
            os.kill(os.getpid(), signal.SIGSTOP)  # SIGCONT, which is taken next, goes on to the command
            if self._own_group():
                self._hand_over()

    # --- a command that makes a process group of its own, such as `timeout` ---

    def _own_group(self) -> int:
        """The group that it leads, where torchwhy leads one: without torchwhy it would lead that already, and
        have its signals and its terminal. 0 for none.
        """
        with suppress(OSError):
            if os.getpid() == os.getpgrp() and os.getpgid(self.pid) == self.pid:
                return self.pid
        return 0

    def _hand_over(self) -> bool:
        """Give it the terminal, if torchwhy has it; whether it was given."""
        terminal = terminal_of(os.getpgrp())
        group = self._own_group()
        if terminal is None or not group:
            return False
        with suppress(OSError):
            os.tcsetpgrp(terminal, group)
            os.killpg(group, signal.SIGCONT)
            return True
        return False

    def _take_terminal(self) -> None:
        """Have back what was handed over; SIGTTOU is blocked here."""
        terminal = terminal_of(self.pid)
        if terminal is not None:
            with suppress(OSError):
                os.tcsetpgrp(terminal, os.getpgrp())


def _file_start() -> int | None:
    """Where in it the command begins to write, if standard error is a regular file."""
    import fcntl

    with suppress(OSError):
        status = os.fstat(2)
        if stat.S_ISREG(status.st_mode):
            appends = fcntl.fcntl(2, fcntl.F_GETFL) & os.O_APPEND
            return status.st_size if appends else os.lseek(2, 0, os.SEEK_CUR)
    return None


def _stand_in() -> tuple[int | None, int | None]:
    """(where it is read, what the command has) in the place of standard error; none for a file, or none.

    The pseudo-terminal changes no byte: the real one does that.
    """
    import termios

    if not os.get_inheritable(2) or stat.S_ISREG(os.fstat(2).st_mode):  # none was given, or a file
        return None, None
    if not os.isatty(2):
        outer, inner = os.pipe()
        return outer, _beside_the_three(inner)
    outer, inner = os.openpty()
    settings = termios.tcgetattr(2)
    settings[1] &= ~termios.OPOST
    termios.tcsetattr(inner, termios.TCSANOW, settings)
    copy_size(2, inner)
    return outer, _beside_the_three(inner)


def _beside_the_three(number: int) -> int:
    """The same open file, not by the number of an input or output that is closed, and has to stay so."""
    import fcntl

    high = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(number)
    return high


def _started(command: list[str], env: dict[str, str], inner: int | None, mask: Iterable[int]) -> int:
    """The command's process, with what torchwhy was given beside the three: `COMMAND <(...)` of a shell, a
    lock, a job server. Raises OSError.
    """
    process = subprocess.Popen(
        command,
        env=env,
        stderr=inner,
        close_fds=False,
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, mask),
    )
    process.returncode = 0  # it is waited for by its number
    return process.pid


def _same_file(first: int, second: int) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(first), os.fstat(second))
    return False


def _written_since(start: int) -> str:
    """What stands in the file that is standard error from there on, without torchwhy's own words; "" where it
    cannot be read.
    """
    from torchwhy.paste.reading import read_text

    with suppress(OSError, UsageError), open("/proc/self/fd/2", "rb") as file:
        file.seek(start)
        lines = read_text(file).splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith(OWN_WORDS))
    return ""


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
