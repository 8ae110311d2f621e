"""Running one child process for a bounded time without letting it harm this one: both outputs kept by their head and
tail, memory watched, no network where that is possible, every descendant ended afterwards.

On Linux a small process stands between (`leg.py`): children are ended even if they left the process group, and even if
torchwhy itself is killed. Elsewhere the child has a process group of its own, which is ended.
"""

from __future__ import annotations

import os
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

from .interrupts import Interrupts

KEEP = 256 << 10  # bytes kept of each end of an output; the middle of a flood is of no use to anybody
LOOK = 0.1  # seconds between two looks at the memory
MARK = "TORCHWHY_LEG"  # in the environment of every process of a leg, with a value of that leg alone
LEG = Path(__file__).with_name("leg.py")


@dataclass(frozen=True, slots=True)
class Finished:
    """How a child ended. `status` is negative for a signal, as in subprocess; None if it outlived the limit."""

    status: int | None
    stdout: str
    stderr: str
    seconds: float
    reason: str = ""

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
    """Drains a pipe, keeping the first and the last KEEP bytes; tells `on_line` of the first KEEP bytes' lines."""

    def __init__(self, pipe: IO[bytes], on_line: Callable[[str], None] | None) -> None:
        super().__init__(daemon=True)
        self.pipe, self.on_line = pipe, on_line
        self.head, self.tail, self.dropped, self.partial = bytearray(), bytearray(), 0, b""
        self.start()

    def run(self) -> None:
        with self.pipe:
            while chunk := os.read(self.pipe.fileno(), 65536):
                self._keep(chunk)
        if self.on_line and self.partial:
            self.on_line(self.partial.decode("utf-8", "replace"))

    def _keep(self, chunk: bytes) -> None:
        room = KEEP - len(self.head)
        self.head += chunk[: max(0, room)]
        self.tail += chunk[max(0, room) :]
        if len(self.tail) > KEEP:
            self.dropped += len(self.tail) - KEEP
            del self.tail[:-KEEP]
        if self.on_line and room > 0:  # a flood is not shown
            *lines, self.partial = (self.partial + chunk[:room]).split(b"\n")
            for line in lines:
                self.on_line(line.decode("utf-8", "replace"))

    def text(self) -> str:
        middle = f"\n[... {self.dropped} bytes left out ...]\n".encode() if self.dropped else b""
        return (bytes(self.head) + middle + bytes(self.tail)).decode("utf-8", "replace").replace("\r\n", "\n")


class _Child:
    """The command as a process of its own group (any platform)."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: str, **more: object) -> None:
        self.process: subprocess.Popen[bytes] = subprocess.Popen(
            list(command), env=dict(env), cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True, **more,  # type: ignore[call-overload]
        )  # fmt: skip

    def status(self) -> int | None:
        """The exit status once it has ended (negative: a signal). Raises OSError where it could not be started."""
        return self.process.poll()

    def end(self) -> None:
        """End it with everything that it started. Safe to call twice."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL) if hasattr(os, "killpg") else self.process.kill()
        self.process.wait()


class _Guarded(_Child):
    """The command under `leg.py` (Linux). `before`: words that both are started by."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], cwd: str, offline: bool, before: Sequence[str] = ()) -> None:
        self.mark = uuid.uuid4().hex
        control, self.control = os.pipe()
        self.answers, answer = os.pipe()
        try:
            words = [*before, sys.executable, "-I", "-S", str(LEG), str(control), str(answer), "offline" if offline else "online", *command]
            super().__init__(words, {**env, MARK: self.mark}, cwd, pass_fds=(control, answer))
        except BaseException:
            os.close(self.control)
            os.close(self.answers)
            raise
        finally:
            os.close(control)
            os.close(answer)
        os.set_blocking(self.answers, False)
        self.said: int | None = None

    def status(self) -> int | None:
        if self.said is not None:
            return self.said
        gone = self.process.poll() is not None  # asked before reading: what it wrote last is not missed
        try:
            line = os.read(self.answers, 100).decode()
        except BlockingIOError:
            return None
        if not line:  # it died without a word: the leg killed it
            if gone:
                self.said = -signal.SIGKILL
            return self.said
        kind, number = line.split()
        if kind == "error":
            raise OSError(int(number), os.strerror(int(number)))
        self.said = int(number) if kind == "exit" else -int(number)
        return self.said

    def end(self) -> None:
        if self.control < 0:
            return
        os.close(self.control)
        self.control = -1
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=30)
        if self.process.returncode != 0:
            self.process.kill()
            end_marked(self.mark)
        self.process.wait()
        os.close(self.answers)


def end_marked(mark: str) -> None:
    """Kill whatever still carries this mark in its environment: for the case that `leg.py` itself was killed."""
    wanted = f"{MARK}={mark}".encode()
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            if wanted in Path("/proc", name, "environ").read_bytes().split(b"\0"):
                os.kill(int(name), signal.SIGKILL)


def tree_memory(root: int) -> int:
    """Resident bytes of a process and its descendants (Linux; 0 elsewhere), without pages of files, which can be dropped.

    RLIMIT_AS would break CUDA, which reserves far more addresses than it uses.
    """
    total, todo = 0, [root]
    while todo:
        pid = todo.pop()
        with suppress(OSError, ValueError, IndexError):
            fields = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines() if ":" in line)
            total += sum(int(fields[name].split()[0]) for name in ("RssAnon", "RssShmem") if name in fields) << 10
            for task in os.listdir(f"/proc/{pid}/task"):
                with suppress(OSError):
                    todo += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text("ascii").split())
    return total


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: str,
    seconds: float,
    memory: int | None = None,
    offline: bool = False,
    before: Sequence[str] = (),
    on_line: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Finished:
    """Run `command` until it ends, `seconds` pass, it and its descendants hold more than `memory` bytes, or `cancelled()`.

    `offline` takes the network away (all but `lo`) where the system allows that, and is no error elsewhere. `before`
    (Linux) is a program, with its words, that starts another in a world of its own (`sandbox.prefix`).
    Raises OSError where the program cannot be started. Ctrl-C ends everything and is raised again.
    """
    with Interrupts(hold=True) as interrupts:
        started = looked = time.monotonic()
        child = _Guarded(command, env, cwd, offline, before) if sys.platform == "linux" and sys.executable else _Child(command, env, cwd)
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
                elif memory is not None and now - looked > LOOK:
                    looked = now
                    if tree_memory(process.pid) > memory:
                        reason = f"used more than {memory >> 20} MiB of memory"
                if reason:
                    break
                time.sleep(0.02)
            took = time.monotonic() - started
        finally:
            child.end()
            for tail in tails:
                tail.join(timeout=5)
    return Finished(None if reason else status, tails[0].text(), tails[1].text(), took, reason)
