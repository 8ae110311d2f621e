"""How a command ended, where it printed nothing itself: signals, the out-of-memory killer."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping
from pathlib import Path

from torchwhy.machine import linux
from torchwhy.runtime.system import signal_name
from torchwhy.text.phrases import phrase

SHELL_SIGNAL = 128  # a shell gives 128 + n for a command that a signal ended
SAID_BY_SHELL = {
    signal.SIGSEGV: "Segmentation fault (core dumped)",
    signal.SIGABRT: "Aborted (core dumped)",
    signal.SIGFPE: "Floating point exception (core dumped)",
    signal.SIGILL: "Illegal instruction (core dumped)",
    **(
        {signal.SIGBUS: "Bus error (core dumped)", signal.SIGKILL: "Killed"}
        if hasattr(signal, "SIGBUS")
        else {}
    ),
}
COUNTED = re.compile(r"(?m)^oom_kill (\d+)$")


def signal_of(status: int) -> int:
    """The signal that ended it, of the process itself or as a shell below it reports it; 0 for none."""
    if status < 0:
        return -status
    number = status - SHELL_SIGNAL
    return number if number in {int(known) for known in signal.Signals} else 0


def shell_words(status: int) -> str:
    """What a shell would have printed for this status; "" for an ordinary one."""
    number = signal_of(status)
    return next((words for known, words in SAID_BY_SHELL.items() if known == number), "")


def status_words(status: int, lang: str) -> str:
    """The status in words."""
    number = signal_of(status)
    if status < 0:
        return phrase("run_status_signal", lang, name=signal_name(number))
    if number:
        return phrase("run_status_named", lang, number=str(status), name=signal_name(number))
    return phrase("run_status_exit", lang, number=str(status))


def out_of_memory_kills(root: Path = Path("/")) -> dict[str, int]:
    """How often the kernel has killed for memory, by the file that counts it: of this cgroup, of the
    machine.
    """
    counts = {}
    paths = [folder / "memory.events" for folder in linux.groups(root, "memory")]
    for path in [*paths, root / "proc/vmstat"]:
        found = COUNTED.search(linux.read(path) or "")
        if found:
            counts[str(path)] = int(found[1])
    return counts


def counted_since(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """The file whose count rose, with by how much; "" where none did."""
    for path, count in after.items():
        if count > before.get(path, count):
            return f"{path}: oom_kill +{count - before[path]}"
    return ""
