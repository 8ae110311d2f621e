"""How much a leg may hold and write on this machine."""

from __future__ import annotations

from pathlib import Path

from assistant.machine import linux

MAX_MEMORY_BYTES = 8 << 30  # no script needs more
MIN_MEMORY_BYTES = 256 << 20  # with less, torch itself cannot be imported
AVAILABLE_SHARE = 0.8  # of what is available; the rest is for other processes
MAX_WRITTEN_BYTES = 4 << 30  # to disk, by all processes of a leg together
MAX_SECONDS = 3600.0  # of a leg, whatever its entry asks for
MAX_PROCESSES = 512  # of a leg at once
MAX_THREADS = 16384  # of a leg at once: a process of torch may have one or two for each core
MAX_OPEN_FILES = 65536  # of a leg at once
MAX_SHM_BYTES = 2 << 30  # of a jail's own /dev/shm


def default_memory(root: Path = Path("/")) -> int:
    """Bytes that a leg may hold: a share of what is available here, counting the limits of the control
    groups.
    """
    free = linux.memory_facts(root)["ram.free"].value
    if not isinstance(free, int):
        return MAX_MEMORY_BYTES
    return max(MIN_MEMORY_BYTES, min(MAX_MEMORY_BYTES, int(AVAILABLE_SHARE * free)))
