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
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from assistant.errors import UsageError

from .descriptors import (
    close_others,
    foreground_of,
    in_foreground,
    readable,
    takes,
    waiting_bytes,
    write_whole,
)
from .heir import Heir
from .kept import KeptLog
from .keys import Reader, reader_of
from .streams import Stream, by_lines, copy_size, follow_settings, numbers_of, open_streams
from .witness import FORWARDED, KEYBOARD, OWN, STOPS, Witness

CHUNK_BYTES = 1 << 16
TICK_S = 0.5  # between two calls of `on_tick`
DRAIN_S = 0.2  # silence after the command's end that ends the wait for what it wrote last
LAST_WORDS_S = 2.0  # after the command's end, where what it left running prints without a pause
STOPPED_TOGETHER_S = 10.0  # between Ctrl-Z and the stop of a program that saves something first
KEYS_TICK_S, KEYS_BYTES = 0.05, 1024
SETTINGS_TICK_S = 0.1  # between two looks at how the command has set its terminal, if it prints nothing
# What Python ignores from its start on.
PYTHON_IGNORES = tuple(getattr(signal, name) for name in ("SIGPIPE", "SIGXFSZ") if hasattr(signal, name))
# What starts a program with the signals ignored that it ignores itself.
STARTERS = frozenset(("ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "sh", "systemd", "zsh"))
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


class Run:
    """One command. `wait` passes its output on until it ends.

    `folder` is removed where torchwhy is killed.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        log: KeptLog | None = None,
        folder: str | None = None,
    ) -> None:
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
        self._held_up = False  # what there is to pass on waits for a reader
        self._keys: tuple[Stream, Reader] | None = None  # who reads what is typed from the pseudo-terminal
        self._streams = open_streams()
        self._woken, self._wake = os.pipe()
        for number in (self._woken, self._wake):
            os.set_blocking(number, False)
        outputs = {number: stream.inner for stream in self._streams for number in numbers_of(stream)}
        self._early: list[int] | None = []  # signals that came before there was a process
        self._witness = Witness()
        self._take_signals()
        self._heir: Heir | None = None
        try:
            self.process = _started(list(command), dict(env), outputs)
        except BaseException:
            self._give_signals_back()
            raise
        finally:
            for stream in self._streams:
                os.close(stream.inner)
        self._heir = Heir(
            self.process.pid,
            {stream.target: stream.outer for stream in self._streams},
            (*KEYBOARD, *FORWARDED, *STOPS),
            _pass_on_alone,
            folder,
        )
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
            # SIGTTIN goes to the whole group: what the command wrote before it is passed on first.
            ((signal.SIGCHLD, signal.SIGCONT, signal.SIGTTIN), lambda number, frame: None),
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
        if self._heir is not None:
            self._heir.end()

    def _on_keyboard(self, number: int, frame: object) -> None:
        if number == signal.SIGINT:
            self.interrupted = True
        self._on_forwarded(number, frame)

    def _on_stop(self, number: int, frame: object) -> None:
        self._stop_told = time.monotonic()
        self._on_forwarded(number, frame)

    def _on_forwarded(self, number: int, frame: object) -> None:
        """A terminal, a scheduler or `kill -- -GROUP` has told the whole group; `kill` only this process."""
        if number == signal.SIGXCPU and _has_used_its_own_time():
            return
        if self._early is not None:
            self._early.append(number)
        elif not self._witness.heard(number):
            self._send(number)
        elif self._leads_another_group():
            self._send(number, os.killpg)

    def _leads_another_group(self) -> bool:
        """Whether the command made a group of its own (`timeout`, `os.setpgrp()`), as torchwhy leads one:
        without torchwhy it would lead that one already, and have its signals and its terminal.
        """
        with suppress(OSError):
            return os.getpid() == os.getpgrp() and os.getpgid(self.process.pid) == self.process.pid
        return False

    def _share_terminal(self) -> bool:
        """A command that leads another group is given the terminal that torchwhy has; whether it was."""
        if self._leads_another_group() and (terminal := foreground_of(os.getpgrp())) is not None:
            with suppress(OSError):
                os.tcsetpgrp(terminal, self.process.pid)
                os.killpg(self.process.pid, signal.SIGCONT)  # it may have asked before
                return True
        return False

    def _take_terminal(self) -> None:
        if (terminal := foreground_of(self.process.pid)) is None:
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
        with suppress(OSError):
            os.tcsetpgrp(terminal, os.getpgrp())
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _send(self, number: int, kill: Callable[[int, int], None] = os.kill) -> None:
        if self.process.returncode is not None:
            return  # its number may be another process's by now
        with suppress(ProcessLookupError):
            kill(self.process.pid, number)

    def _on_resize(self, number: int, frame: object) -> None:
        for stream in self._streams:
            if stream.terminal and stream.open:
                copy_size(stream.target, stream.outer)
        if self._early is None and any(stream.terminal for stream in self._streams):
            self._send(number)  # also where its terminal told it: it may have looked before the size was set
        else:
            self._on_forwarded(number, frame)

    # --- passing on ---

    def wait(self, on_tick: Callable[[], None] | None = None) -> Ended:
        """Pass everything on until the command has ended and its outputs are read."""
        started = ticked = time.monotonic()
        status: int | None = None
        ended = drained = 0.0
        try:
            while True:
                moved = self._pass(TICK_S if status is None else DRAIN_S)
                now = time.monotonic()
                if status is None:
                    status = self._ended()
                    ended = drained = now
                elif self._held_up:
                    drained = now  # a reader that takes nothing for a while gets all of it
                elif (
                    not moved
                    or not any(stream.open for stream in self._streams)
                    or now - drained > LAST_WORDS_S
                ):
                    break
                if status is None and now - ticked >= TICK_S:
                    ticked = now
                    self._share_terminal()
                    for stream in self._streams:
                        if stream.terminal and stream.open:
                            self._look_for_reader(stream)
                    if on_tick:
                        on_tick()
            self._leave_to_others()
        finally:
            self._take_terminal()
            self._restore_terminal()
            self._give_signals_back()
        return Ended(status, self.log.close(), ended - started, self.interrupted, self._lost)

    def _pass(self, timeout: float) -> bool:
        """Wait for output or a signal, and pass on what there is; whether there was any."""
        # One output that nobody reads now holds neither the other one up nor Ctrl-Z.
        full = self._full()
        self._held_up = any(waiting_bytes(stream.outer) for stream in full)
        by_number = {stream.outer: stream for stream in self._streams if stream.open and stream not in full}
        typed = self._typed_for()
        timeout = min(timeout, KEYS_TICK_S) if typed else timeout
        terminals = [stream for stream in by_number.values() if stream.terminal]
        if self.process.returncode is None and terminals:
            timeout = min(timeout, SETTINGS_TICK_S)
        heard = [*by_number, self._woken, *self._witness.ear, *typed]
        ready = readable(heard, timeout, [stream.target for stream in full])
        if self._keys and typed and typed[0] in ready and self._keys[1].is_there():
            with suppress(OSError):
                os.write(self._keys[0].outer, os.read(typed[0], KEYS_BYTES))
        if self._woken in ready:
            with suppress(BlockingIOError):
                os.read(self._woken, 4096)
        self._witness.listen()
        moved = False
        for number in ready:
            if number in by_number:
                moved = True
                self._move(by_number[number])
        if self.process.returncode is None:
            for stream in terminals:
                if stream.open:
                    follow_settings(stream)
        return moved

    def _typed_for(self) -> list[int]:
        """The real terminal, while a program reads what is typed there from the pseudo-terminal."""
        if self._keys is None:
            return []
        stream, reader = self._keys
        if stream.open and reader.is_there():
            return [stream.target] if in_foreground(stream.target) else []
        self._keys = None
        if stream.open:
            follow_settings(stream)
        return []

    def _look_for_reader(self, stream: Stream) -> None:
        if self._keys is None and not by_lines(stream.outer):
            with suppress(OSError):
                reader = reader_of(stream.name, self.process.pid)
                self._keys = (stream, reader) if reader else None

    def _full(self) -> list[Stream]:
        """The outputs whose readers take nothing at the moment."""
        return [
            stream
            for stream in self._streams
            if stream.open and stream.can_be_full and not takes(stream.target)
        ]

    def _move(self, stream: Stream) -> None:
        # What ends this process between the two, sent to the whole group, would cost what was just read.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, OWN)
        try:
            data = self._pass_chunk(stream)
            while stream.open and stream.can_be_full and len(data) < CHUNK_BYTES:
                if not (takes(stream.target) and readable([stream.outer], 0)):
                    break
                data += self._pass_chunk(stream)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if data:
            self.log.feed(stream.target, data)

    def _pass_chunk(self, stream: Stream) -> bytes:
        """What was read of one stream, and written: no more than its reader takes at once."""
        try:
            data = os.read(stream.outer, select.PIPE_BUF if stream.can_be_full else CHUNK_BYTES)
        except OSError:  # EIO: nobody has the terminal open any more
            data = b""
        if not data:
            self._close(stream)
            return b""
        self.last_output = time.monotonic()
        if stream.terminal:
            follow_settings(stream)
        try:
            write_whole(stream.target, data)
        except OSError as error:
            if stream.terminal or isinstance(error, BrokenPipeError):
                # whoever reads us has gone: the command learns it as it would have
                self._close(stream)
            else:  # a full disk: there may be room again, and a training goes on meanwhile
                self._lost = error.strerror or str(error)
        return data

    def _close(self, stream: Stream) -> None:
        stream.open = False
        os.close(stream.outer)
        if self._heir is not None:
            self._heir.forget(stream.target)

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
            by = os.WSTOPSIG(raw)
            # By SIGTSTP alone, in the foreground: a program that reads Ctrl-Z as a key, and stops itself.
            itself = by == signal.SIGTSTP and any(map(in_foreground, (0, 1, 2)))
            told = told or foreground_of(self.process.pid) is not None
            if by in (signal.SIGTTIN, signal.SIGTTOU):
                if self._share_terminal():
                    return None
            elif not told and not itself:
                return None
            self._stop_told = float("-inf")
            os.kill(os.getpid(), signal.SIGSTOP)
            self._share_terminal()
            with suppress(ProcessLookupError):  # `kill -CONT` of this process alone
                (os.killpg if self._leads_another_group() else os.kill)(self.process.pid, signal.SIGCONT)
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
                _pass_on_alone({stream.target: stream.outer for stream in left})
            finally:
                os._exit(0)
        for stream in left:
            os.close(stream.outer)

    def _restore_terminal(self) -> None:
        import termios

        for stream in self._streams:
            if stream.settings and in_foreground(stream.target):
                with suppress(termios.error, OSError):
                    termios.tcsetattr(stream.target, termios.TCSADRAIN, stream.settings)  # type: ignore[arg-type]


def _started(command: list[str], env: dict[str, str], outputs: Mapping[int, int]) -> subprocess.Popen[bytes]:
    """The command's process. Raises OSError.

    What it was given beside the three, it keeps: `COMMAND <(...)` of a shell, a lock, a job server. A script
    without a first line that names its program is the shell's, as execvp has it.
    """

    def start(words: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            words,
            env=env,
            stdout=outputs.get(1),
            stderr=outputs.get(2),
            close_fds=False,
            restore_signals=False,
        )

    defaults = [number for number in PYTHON_IGNORES if number not in _ignored_before()]
    before = {number: signal.signal(number, signal.SIG_DFL) for number in defaults}
    try:
        return start(command)
    except OSError as error:
        path = shutil.which(command[0], path=env.get("PATH"))
        if error.errno != errno.ENOEXEC or path is None or _is_binary(path):
            raise
        return start(["/bin/sh", path, *command[1:]])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)


def _ignored_before() -> set[int]:
    """Which of these signals were ignored when torchwhy started, by `trap '' PIPE` of a shell or in a service
    of systemd. Python ignores them all, so this asks what started it (Linux).
    """
    with suppress(OSError, ValueError, KeyError):
        with open(f"/proc/{os.getppid()}/status", encoding="utf-8", errors="replace") as file:
            fields = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
        if fields["Name"] in STARTERS:
            ignored = int(fields["SigIgn"], 16)
            return {number for number in PYTHON_IGNORES if ignored >> (number - 1) & 1}
    return set()


def _is_binary(path: str) -> bool:
    """Whether a file that the system cannot run is none of lines, such as another machine's program."""
    with open(path, "rb") as file:
        return b"\0" in file.read(CHUNK_BYTES)


def _has_used_its_own_time() -> bool:
    """Whether SIGXCPU tells of this process's own limit (`ulimit -t`), not of the command's; it is lifted."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if soft == resource.RLIM_INFINITY or time.process_time() < soft - 1:
        return False
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
    return True


def _pass_on_alone(outputs: Mapping[int, int]) -> None:
    signal.set_wakeup_fd(-1)
    for one in (*KEYBOARD, *FORWARDED, signal.SIGTSTP, signal.SIGCHLD, signal.SIGCONT):
        if signal.getsignal(one) is not signal.SIG_IGN:
            signal.signal(one, signal.SIG_DFL)
    by_number = {outer: target for target, outer in outputs.items()}
    close_others([*by_number, *by_number.values()])
    while by_number:
        for number in readable(list(by_number), None):
            try:
                data = os.read(number, CHUNK_BYTES)
            except OSError:
                data = b""
            if data:
                try:
                    write_whole(by_number[number], data)
                except BrokenPipeError:
                    data = b""
                except OSError:
                    if os.isatty(number):
                        data = b""
            if not data:
                target = by_number.pop(number)
                os.close(number)
                os.close(target)


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
