"""Running one child process for a bounded time without letting it harm this one: its own process group, both outputs
kept by their head and tail, every descendant ended afterwards.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

KEEP = 256 << 10  # bytes kept of each end of an output; the middle of a flood is of no use to anybody


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
    """Drains a pipe, keeping the first and the last KEEP bytes."""

    def __init__(self, pipe: IO[bytes], on_line: Callable[[str], None] | None) -> None:
        super().__init__(daemon=True)
        self.pipe, self.on_line = pipe, on_line
        self.head, self.tail, self.dropped = bytearray(), bytearray(), 0
        self.start()

    def run(self) -> None:
        with self.pipe:
            while chunk := os.read(self.pipe.fileno(), 65536):
                self._keep(chunk)

    def _keep(self, chunk: bytes) -> None:
        room = KEEP - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:] if room > 0 else chunk
        if len(self.tail) > KEEP:
            self.dropped += len(self.tail) - KEEP
            del self.tail[:-KEEP]
        if self.on_line:
            for line in chunk.decode("utf-8", "replace").splitlines():
                self.on_line(line)

    def text(self) -> str:
        middle = f"\n[... {self.dropped} bytes left out ...]\n".encode() if self.dropped else b""
        return (bytes(self.head) + middle + bytes(self.tail)).decode("utf-8", "replace").replace("\r\n", "\n")


def end_group(process: subprocess.Popen[bytes]) -> None:
    """End the child's whole process group, stragglers included. Safe to call twice."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def group_memory(group: int) -> int:
    """Resident bytes of all processes of a group (Linux; 0 elsewhere). RLIMIT_AS would break CUDA."""
    total = 0
    try:
        ids = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return 0
    for pid in ids:
        try:
            if os.getpgid(int(pid)) == group:
                with open(f"/proc/{pid}/statm", encoding="ascii") as file:
                    total += int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            continue
    return total


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: str,
    seconds: float,
    memory: int | None = None,
    on_line: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Finished:
    """Run `command` until it ends, `seconds` pass, its group holds more than `memory` bytes, or `cancelled()`.

    Raises OSError where the program cannot be started. Ctrl-C ends the group and is raised again.
    """
    started = time.monotonic()
    process = subprocess.Popen(
        list(command), env=dict(env), cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdout and process.stderr
    tails = (_Tail(process.stdout, on_line), _Tail(process.stderr, on_line))
    reason = ""
    try:
        while process.poll() is None:
            if time.monotonic() - started > seconds:
                reason = f"still running after {seconds:g} s"
            elif memory is not None and group_memory(process.pid) > memory:
                reason = f"used more than {memory >> 20} MiB of memory"
            elif cancelled and cancelled():
                reason = "cancelled"
            if reason:
                break
            time.sleep(0.02)
    finally:
        end_group(process)
        process.wait()
        for tail in tails:
            tail.join(timeout=5)
    status = None if reason else process.returncode
    return Finished(status, tails[0].text(), tails[1].text(), time.monotonic() - started, reason)
