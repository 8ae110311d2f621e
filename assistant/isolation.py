"""What a leg may use of this machine: how much memory, and which GPU. Neither creates a CUDA context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from .conditions import quantity
from .facts import Gpu
from .types import Needs

CONTEXT = 600 << 20  # bytes of GPU memory that a CUDA context and its libraries take beside the tensors
MOST, LEAST = 8 << 30, 256 << 20  # bytes: no repro needs more; with less torch itself is not imported
SHARE = 0.8  # of what is available: the rest is for those who are here too


def default_memory() -> int:
    """Bytes that a leg may hold: a share of what is available here, counting the limits of the control group."""
    return max(LEAST, min([MOST, *(int(SHARE * free) for free in (available_memory(), cgroup_free()) if free is not None)]))


def available_memory() -> int | None:
    """Bytes that the kernel could still hand out (MemAvailable), or None where nobody says."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    return None


def cgroup_free(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> int | None:
    """Bytes left under the narrowest memory limit of this process's control groups (v2 and v1); None without a limit."""
    least: int | None = None
    for folder in _groups(root, own):
        for limit_name, used_name, cache_name in (
            ("memory.max", "memory.current", "inactive_file"),
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
        ):
            with suppress(OSError, ValueError):  # "max" is no number, and no limit
                limit, used = (int((folder / name).read_text("ascii")) for name in (limit_name, used_name))
                pairs = [line.split() for line in (folder / "memory.stat").read_text("ascii").splitlines()]
                free = limit - used + sum(int(value) for name, value in pairs if name == cache_name)
                if limit < 1 << 60:
                    least = free if least is None else min(least, free)
    return None if least is None else max(0, least)


def _groups(root: Path, own: Path) -> Iterator[Path]:
    """The folders of this process's groups and of all groups above them."""
    lines: list[str] = []
    with suppress(OSError):
        lines = own.read_text("utf-8").splitlines()
    for line in lines:
        number, controllers, path = line.split(":", 2)
        if number == "0" or "memory" in controllers.split(","):
            top = root if number == "0" else root / "memory"
            below = Path(path.strip("/"))
            for part in (below, *below.parents):
                yield top / part


def choose_gpu(needs: Needs, found: Sequence[Gpu], visible: str | None) -> tuple[dict[str, str], str]:
    """(what to set in the environment, why the leg cannot run or "").

    `visible` is the user's own CUDA_VISIBLE_DEVICES, which is left alone. Where several GPUs are free to choose, those
    with most free memory are taken. An entry that shows on the CPU too goes there if no GPU has room for a context.
    """
    if visible is None:
        usable = sorted(found, key=lambda gpu: -(gpu.memory_free or 0))
    else:
        usable = [gpu for name in visible.split(",") for gpu in found if name.strip() == str(gpu.index)]
    if not usable or any(gpu.memory_free is None for gpu in usable):
        return {}, ""  # no driver, or names that say nothing here (a UUID, a slice of a GPU): nothing to go by
    wanted = int(quantity(needs.gpu_memory) or 0) if needs.gpu_memory else 0
    count = max(1, needs.gpus)
    short = [gpu for gpu in usable[:count] if (gpu.memory_free or 0) < wanted + CONTEXT]
    if short and (needs.cuda or needs.gpus):
        room = f"{(wanted + CONTEXT) >> 20} MiB of free GPU memory ({wanted >> 20} for tensors, {CONTEXT >> 20} for the CUDA context)"
        return {}, f"needs {room}; {short[0].name} has {(short[0].memory_free or 0) >> 20} MiB free: end what else runs there"
    if visible is not None:
        return {}, ""
    if short:
        return {"CUDA_VISIBLE_DEVICES": ""}, ""
    if len(found) <= count:
        return {}, ""  # nothing to choose
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "CUDA_VISIBLE_DEVICES": ",".join(str(gpu.index) for gpu in usable[:count])}, ""
