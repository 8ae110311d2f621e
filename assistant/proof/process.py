"""Running one child process for a bounded time without letting it harm this one: both outputs kept by their
head and tail, memory watched, no network where that is possible, every descendant ended afterwards.

On Linux a small process stands between (`supervisor.py`): children are ended even if they left the process
group, and even if torchwhy itself is killed. Elsewhere the child has a process group of its own, which is
ended.
"""

from __future__ import annotations

import errno
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from assistant.runtime.interrupts import Interrupts

from . import folders, sandbox
from .sandbox import OPEN, Jail

KEPT_BYTES = 256 << 10  # of each end of an output; the middle of a flood is of no use to anybody
LOOK_S = 0.1  # between two looks at what a leg uses
MAX_TOLD_LINES = 2000  # of an output, while it comes: reading on must not wait for whoever is told
# set in the environment of every process of a leg, to a value of that leg alone
LEG_VARIABLE = "TORCHWHY_LEG"
MAX_REASON_CHARS = 300  # of what bubblewrap says
HELD = ("RssAnon", "VmPTE", "VmSwap", "HugetlbPages")  # fields of a process's status that are memory it holds
# for one that is not replaced while it is looked at
MAX_LOOKS_FOR_A_THREAD = 20
# of the machine's memory, that a leg may not take; at most an eighth of what was there
MAX_SPARE_BYTES = 256 << 20
BEGUN = "here\n"  # the supervisor's first word
STATUS_LINE = re.compile(r"(?P<kind>exit|signal|error) (?P<number>\d{1,5})(?P<unset>(?: network| calls)*)\n")
CHILD_PID = re.compile(rb'"child-pid": (\d+)')  # in what bubblewrap writes to --info-fd
UNENDED = 3  # the exit status of a supervisor that had to leave processes alive
END_TIMEOUT_S = 20.0  # a process that holds a GPU may take some to die


@dataclass(frozen=True, slots=True)
class Finished:
    """How a child ended. `status` is negative for a signal, as in subprocess; None if it
    outlived the limit.
    """

    status: int | None
    stdout: str
    stderr: str
    seconds: float
    reason: str = ""
    unguarded: tuple[str, ...] = ()
    """The guards that were missing, by name (`sandbox.py`)."""

    @property
    def output(self) -> str:
        """Standard output, then standard error, then what the shell would have said of a signal."""
        parts = [self.stdout, self.stderr]
        if self.status is not None and self.status < 0:
            parts.append(f"killed by signal {signal_name(-self.status)}\n")
        return "\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


class _Tail(threading.Thread):
    """Drains a pipe, keeping the first and the last KEPT_BYTES bytes; tells `on_line` of the first
    MAX_TOLD_LINES lines of the first KEPT_BYTES bytes.
    """

    def __init__(self, pipe: IO[bytes], on_line: Callable[[str], None] | None) -> None:
        super().__init__(daemon=True)
        self.pipe, self.on_line, self.told = pipe, on_line, 0
        self.head, self.tail, self.dropped, self.partial = bytearray(), bytearray(), 0, bytearray()
        self.start()

    def run(self) -> None:
        with self.pipe:
            while chunk := os.read(self.pipe.fileno(), 65536):
                self._keep(chunk)
        if self.partial:
            self._tell(b"")

    def _keep(self, chunk: bytes) -> None:
        room = KEPT_BYTES - len(self.head)
        self.head += chunk[: max(0, room)]
        self.tail += chunk[max(0, room) :]
        if len(self.tail) > KEPT_BYTES:
            self.dropped += len(self.tail) - KEPT_BYTES
            del self.tail[:-KEPT_BYTES]
        if self.on_line and room > 0:  # a flood is not shown
            *ends, rest = chunk[:room].split(b"\n")
            for end in ends:
                self._tell(end)
            self.partial += rest

    def _tell(self, end: bytes) -> None:
        """Tell of the line that ends so."""
        line, self.partial, self.told = bytes(self.partial) + end, bytearray(), self.told + 1
        if self.on_line and self.told <= MAX_TOLD_LINES:
            self.on_line(line.decode("utf-8", "replace"))

    def text(self) -> str:
        middle = f"\n[... {self.dropped} bytes left out ...]\n".encode() if self.dropped else b""
        return (bytes(self.head) + middle + bytes(self.tail)).decode("utf-8", "replace").replace("\r\n", "\n")


class _Child:
    """The command as a process of its own group (any platform)."""

    begun = True  # whether its jail could be made
    survivors = False  # whether something of it could not be ended
    unset: tuple[str, ...] = ()  # the guards that could not be set, as far as it told

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: str, **more: object) -> None:
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            list(command),
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            **more,  # type: ignore[call-overload]
        )

    def status(self) -> int | None:
        """The exit status once it has ended (negative: a signal). Raises OSError where it could not be
        started.
        """
        return self.process.poll()

    def end(self) -> None:
        """End it with everything that it started. Safe to call twice."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL) if hasattr(os, "killpg") else self.process.kill()
        self.process.wait()


class _Guarded(_Child):
    """The command under `supervisor.py` (Linux), both in `jail`.

    `largest`: bytes that one file of its may hold.
    """

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        cwd: str,
        offline: bool,
        jail: Jail = OPEN,
        largest: int | None = None,
    ) -> None:
        self.begun = False
        self.mark = uuid.uuid4().hex
        control, self.control = os.pipe()
        self.answers, answer = os.pipe()
        about, info = os.pipe()
        self.first = -1  # a handle of the first process of a PID namespace
        before = jail.words
        jailed = "--unshare-pid" in before
        try:
            words = [
                *(before[:1] if before else ()),
                *(("--info-fd", str(info)) if jailed else ()),
                *before[1:],
                sys.executable,
                "-I",
                "-S",
                str(sandbox.SUPERVISOR),
                str(control),
                str(answer),
                "offline" if offline else "online",
                str(largest or 0),
                jail.filter.hex() or "-",
                *command,
            ]
            passed = (control, answer, info) if jailed else (control, answer)
            super().__init__(words, {**env, LEG_VARIABLE: self.mark}, cwd, pass_fds=passed)
        except BaseException:
            os.close(self.control)
            os.close(self.answers)
            raise
        finally:
            os.close(control)
            os.close(answer)
            os.close(info)
        with os.fdopen(about, "rb") as file:
            if jailed:
                self.first = first_process(file)
        os.set_blocking(self.answers, False)
        self.said: int | None = None

    def status(self) -> int | None:
        if self.said is not None:
            return self.said
        gone = self.process.poll() is not None  # asked before reading: what it wrote last is not missed
        try:
            line = os.read(self.answers, 100).decode("ascii", "replace")
        except BlockingIOError:
            return None
        if not self.begun and line.startswith(BEGUN):
            self.begun, line = True, line[len(BEGUN) :]
            if not line:
                return None
        if not line:  # it died without a word: the leg killed it
            if gone:
                self.said = -signal.SIGKILL
            return self.said
        told = STATUS_LINE.fullmatch(line)
        if told is None:  # not the supervisor's: a leg can write to the descriptors of its user's processes
            self.said = -signal.SIGKILL
            return self.said
        kind, number = told["kind"], int(told["number"])
        self.unset = tuple(told["unset"].split())
        if kind == "error":
            raise OSError(number, os.strerror(number))
        self.said = number if kind == "exit" else -number
        return self.said

    def end(self) -> None:
        if self.control < 0:
            return
        os.close(self.control)
        self.control = -1
        jailed = self.first >= 0
        if jailed:
            self._end_namespace()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=30)
        if self.process.returncode is None or (self.process.returncode != 0 and not jailed):
            self.survivors = self.process.returncode in (None, UNENDED)
            self.process.kill()
            end_marked(self.mark)
        self.process.wait()
        os.close(self.answers)

    def _end_namespace(self) -> None:
        """Kill the first process of the PID namespace: the kernel ends all others before it is gone."""
        with suppress(OSError):
            signal.pidfd_send_signal(self.first, signal.SIGKILL)
        self.survivors = not select.select([self.first], [], [], END_TIMEOUT_S)[0]
        os.close(self.first)


def first_process(info: IO[bytes]) -> int:
    """A handle (pidfd) of the process that bubblewrap tells of; -1 where it told of none, or it is gone."""
    found = CHILD_PID.search(info.read())
    try:
        return os.pidfd_open(int(found[1])) if found else -1
    except OSError:
        return -1


def end_marked(mark: str) -> None:
    """Kill whatever still carries this mark in its environment: for the case that `supervisor.py` itself was
    killed.
    """
    wanted = f"{LEG_VARIABLE}={mark}".encode()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            if wanted in Path("/proc", name, "environ").read_bytes().split(b"\0"):
                os.kill(int(name), signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a child and its descendants may use together: bytes held, processes, threads and open files at
    once, bytes written to disk. None: as much as they like.
    """

    memory: int | None = None
    processes: int | None = None
    threads: int | None = None
    disk: int | None = None
    files: int | None = None

    def exceeded(self, root: int, spare: int = 0, folder: folders.Watched | None = None) -> str:
        """Which bound the tree of this process exceeds, in words; "" where none (Linux; "" elsewhere).

        `spare`: the bytes of memory that the machine keeps; `folder`: where the tree writes.
        """
        if self == Bounds():
            return ""
        if self.memory is not None and 0 <= available_memory() < spare:
            return f"memory limit: less than {spare >> 20} MiB of the machine's memory are left"
        use = tree_use(root, self.processes, self.files)
        if self.processes is not None and use.processes > self.processes:
            return f"process limit: more than {self.processes} processes at once"
        if self.threads is not None and use.threads > self.threads:
            return f"process limit: more than {self.threads} threads at once"
        if self.memory is not None and use.memory > self.memory:
            return f"used more than {self.memory >> 20} MiB of memory"
        if self.disk is not None and use.written > self.disk:
            return f"disk limit: wrote more than {self.disk >> 20} MiB"
        if self.files is not None and use.files > self.files:
            return f"process limit: more than {self.files} files open at once"
        return folder.exceeded(use.unnamed) if folder is not None else ""


@dataclass(slots=True)
class Use:
    """What a tree of processes uses: how many they are, files they have open, bytes they hold, bytes they
    wrote to disk, bytes of open files on disk that have no name left.
    """

    processes: int = 0
    threads: int = 0
    files: int = 0
    memory: int = 0
    written: int = 0
    unnamed: int = 0


def available_memory() -> int:
    """Bytes of memory that the machine has left; -1 where it does not tell.

    What the kernel holds for a leg (sockets, pipes) is counted nowhere else.
    """
    try:
        with open("/proc/meminfo", encoding="ascii") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return -1


def tree_use(root: int, enough: int | None = None, enough_files: int | None = None) -> Use:
    """What a process and its descendants use (Linux; nothing elsewhere); stops behind `enough` processes, or
    `enough_files` open files.

    Tables of pages and what lies on a swap device count as memory; pages of files do not, since they can be
    dropped; files in memory count once, mapped or not. RLIMIT_AS would break CUDA, which reserves far more
    addresses than it uses. What a process wrote stays with its parent when it ends, if that waits for it.
    """
    use, todo, shared = Use(), [root], 0
    in_memory, on_disk = dict[tuple[int, int], int](), dict[tuple[int, int], int]()
    while todo and (enough is None or use.processes <= enough):
        pid = todo.pop()
        use.processes += 1
        looked = str(pid)  # what is asked for its memory and its files
        with suppress(OSError, ValueError, IndexError):
            fields = _fields(looked, "status")
            if HELD[0] not in fields and int(fields.get("Threads", "0")) > 1:
                looked, fields = _living(pid, fields)
            use.threads += int(fields.get("Threads", "0"))
            use.memory += sum(int(fields.get(name, "0").split()[0]) << 10 for name in HELD)
            shared += int(fields.get("RssShmem", "0").split()[0]) << 10
            for task in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError):
                    todo += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text("ascii").split())
        with suppress(OSError, ValueError):
            written = _fields(str(pid), "io")
            use.written += int(written["write_bytes"]) - int(written["cancelled_write_bytes"])
        with suppress(OSError):
            names = os.listdir(f"/proc/{looked}/fd")
            use.files += len(names)
            if enough_files is not None and use.files > enough_files:
                break
            _files_without_name(looked, names, in_memory, on_disk)
    use.memory += max(shared, sum(in_memory.values()))
    use.unnamed = sum(on_disk.values())
    return use


def _living(pid: int, fields: dict[str, str]) -> tuple[str, dict[str, str]]:
    """(the place below /proc, the status) of a thread that tells of this process's memory and files: one
    whose first thread has ended, and others go on, tells of neither. As it was given where none tells.
    """
    for _ in range(MAX_LOOKS_FOR_A_THREAD):
        with suppress(OSError):
            for task in reversed(os.listdir(f"/proc/{pid}/task")):
                with suppress(OSError):
                    place = f"{pid}/task/{task}"
                    found = _fields(place, "status")
                    if HELD[0] in found:
                        return place, found
    return str(pid), fields


def _fields(place: str, name: str) -> dict[str, str]:
    lines = Path(f"/proc/{place}/{name}").read_text("utf-8", "replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _files_without_name(
    place: str,
    names: Sequence[str],
    in_memory: dict[tuple[int, int], int],
    on_disk: dict[tuple[int, int], int],
) -> None:
    """Note the bytes of each file without a name that a process has open: in memory (memfd, unlinked in
    /dev/shm), or on a disk.
    """
    for name in names:
        with suppress(OSError):
            target = os.readlink(f"/proc/{place}/fd/{name}")
            memory = target.startswith(("/memfd:", "/dev/shm/"))  # noqa: S108
            if memory or target.endswith(" (deleted)"):
                file = os.stat(f"/proc/{place}/fd/{name}")
                (in_memory if memory else on_disk)[file.st_dev, file.st_ino] = file.st_blocks * 512


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: str,
    seconds: float,
    bounds: Bounds = Bounds(),
    offline: bool = False,
    jail: Jail = OPEN,
    on_line: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Finished:
    """Run `command` until it ends, `seconds` pass, it and its descendants exceed a bound, or `cancelled()`.

    `bounds` are looked at from outside; no single file may exceed that of the disk either. `reason` tells
    which one was hit, and where processes could not be ended.

    `offline` takes the network away (all but `lo`) where the system allows that, and is no error elsewhere.
    `jail` (Linux) is the world that it is shut in (`sandbox.jail`). Raises OSError where the program cannot
    be started. Ctrl-C ends everything and is raised again.
    """
    with Interrupts(hold=True) as interrupts:
        started = looked = time.monotonic()
        spare = min(MAX_SPARE_BYTES, available_memory() // 8)
        folder = folders.Watched(cwd, bounds.disk) if bounds.disk is not None else None
        child = (
            _Guarded(command, env, cwd, offline, jail, bounds.disk)
            if sys.platform == "linux" and sys.executable
            else _Child(command, env, cwd)
        )
        process = child.process
        assert process.stdout and process.stderr
        tails = (_Tail(process.stdout, on_line), _Tail(process.stderr, on_line))
        reason, status = "", None
        try:
            while (status := child.status()) is None:
                interrupts.check()
                now = time.monotonic()
                if now - started > seconds:
                    reason = f"still running after {seconds:g} s"
                elif cancelled and cancelled():
                    reason = "cancelled"
                elif now - looked > LOOK_S:
                    looked = now
                    reason = bounds.exceeded(process.pid, spare, folder)
                if reason:
                    break
                time.sleep(0.02)
            took = time.monotonic() - started
        finally:
            child.end()
            for tail in tails:
                tail.join(timeout=5)
    if not child.begun and not reason:
        raise OSError(errno.EIO, f"its jail could not be made: {tails[1].text().strip()[-MAX_REASON_CHARS:]}")
    if child.survivors:
        reason = f"{reason or 'process limit'}; not all of its processes could be ended"
    unguarded = tuple(dict.fromkeys((*jail.missing, *child.unset)))
    return Finished(None if reason else status, tails[0].text(), tails[1].text(), took, reason, unguarded)
