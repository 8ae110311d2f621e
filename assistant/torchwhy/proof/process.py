"""Running one child process within bounds of time, memory and output: in a process group of its own, which is
ended whole, with what descends from it.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from torchwhy.machine import linux
from torchwhy.runtime.interrupts import Interrupts
from torchwhy.runtime.system import descendants, signal_name

MAX_MEMORY_BYTES = 8 << 30  # no script needs more
MIN_MEMORY_BYTES = 256 << 20  # with less, torch itself cannot be imported
AVAILABLE_SHARE = 0.8  # of what is available; the rest is for other processes
MAX_SECONDS = 3600.0  # of a leg, whatever its entry asks for
KEPT_BYTES = 256 << 10  # of each end of an output; the middle of a flood is of no use to anybody
MAX_TOLD_LINES = 2000  # of an output, while it comes: reading on must not wait for whoever is told
MAX_REASON_CHARS = 300  # of what bubblewrap says
LOOK_S = 0.1  # between two looks at what a leg holds
END_TIMEOUT_S = 20.0  # a process that holds a GPU may take some to die
PAGES = ("RssAnon", "VmSwap", "RssShmem")  # fields of a process's status
# No core of a crash, and no file beyond 4 GiB (in blocks of 512 bytes), where the user's limits allow that.
LIMITED = 'ulimit -c 0 2>/dev/null; ulimit -f 8388608 2>/dev/null; exec "$@"'


@dataclass(frozen=True, slots=True)
class Finished:
    """How a child ended. `status` is negative for a signal, as in subprocess; None if a bound was hit, which
    `reason` names.
    """

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


def default_memory(root: Path = Path("/")) -> int:
    """Bytes that a leg may hold: a share of what is available here, counting the limits of the control
    groups.
    """
    free = linux.memory_facts(root)["ram.free"].value
    if not isinstance(free, int):
        return MAX_MEMORY_BYTES
    return max(MIN_MEMORY_BYTES, min(MAX_MEMORY_BYTES, int(AVAILABLE_SHARE * free)))


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


def run(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None,
    cwd: str,
    seconds: float,
    memory: int | None = None,
    wrapped: bool = False,
    grace: float = 0.0,
    on_line: Callable[[str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Finished:
    """Run `command` until it ends, `seconds` pass, it and its descendants hold more than `memory` bytes
    (Linux), or `cancelled()`.

    `wrapped` and `grace` as in `sandbox.Start`. Raises OSError where the program, or what is to stand around
    it, cannot be started. Ctrl-C ends everything and is raised again.
    """
    with Interrupts(hold=True) as interrupts:
        started = looked = time.monotonic()
        process = _started(command, env, cwd)
        assert process.stdout and process.stderr
        tails = (_Tail(process.stdout, on_line), _Tail(process.stderr, on_line))
        reason = ""
        try:
            while process.poll() is None:
                interrupts.check()
                now = time.monotonic()
                if now - started > seconds:
                    reason = f"still running after {seconds:g} s"
                elif cancelled and cancelled():
                    reason = "cancelled"
                elif memory is not None and now - looked > LOOK_S:
                    looked = now
                    if held(process.pid) > memory:
                        reason = f"used more than {memory >> 20} MiB of memory"
                if reason:
                    break
                time.sleep(0.02)
            took = time.monotonic() - started
        finally:
            _end(process, grace)
            for tail in tails:
                tail.join(timeout=5)
    out, err = (tail.text() for tail in tails)
    status = None if reason else process.returncode
    if wrapped and status == 1 and not out and err.startswith("bwrap: "):
        raise OSError(errno.EIO, err.strip()[-MAX_REASON_CHARS:])
    if wrapped and status is not None and 128 < status < 128 + 65:
        status = 128 - status
    return Finished(status, out, err, took, reason)


def _started(command: Sequence[str], env: Mapping[str, str] | None, cwd: str) -> subprocess.Popen[bytes]:
    if not os.access(command[0], os.X_OK):  # the shell's own words for it would be the script's
        number = errno.EACCES if os.path.exists(command[0]) else errno.ENOENT
        raise OSError(number, os.strerror(number), command[0])
    return subprocess.Popen(
        ["/bin/sh", "-c", LIMITED, "sh", *command] if os.name == "posix" else list(command),
        env=None if env is None else dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes], grace: float) -> None:
    """End a process with its group and what descends from it; `grace`: seconds to do so by itself."""
    if grace and process.poll() is None:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=grace)
    below = list(descendants(process.pid))  # torchrun gives its workers groups of their own
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
    for pid in below:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=END_TIMEOUT_S)


def held(root: int) -> int:
    """Bytes of memory that a process and its descendants hold (Linux; 0 elsewhere): their own pages, swapped
    or not, and the shared ones of whoever has most. RLIMIT_AS would break CUDA, which reserves addresses.
    """
    own, shared = 0, 0
    for pid in (root, *descendants(root)):
        with suppress(OSError, ValueError):
            lines = Path(f"/proc/{pid}/status").read_text("utf-8", "replace").splitlines()
            fields = dict(line.split(":", 1) for line in lines if ":" in line)
            sizes = {name: int(fields.get(name, "0").split()[0]) << 10 for name in PAGES}
            own += sizes["RssAnon"] + sizes["VmSwap"]
            shared = max(shared, sizes["RssShmem"])
    return own + shared
