"""What Linux says about the machine under /proc, /sys and /dev: memory and its limits, cores, container
signs, Xid lines.

Every function takes the root to read under. Where a file is missing or may not be read, the fact is unknown
and says so.
"""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from torchwhy.knowledge.facts import Fact
from torchwhy.knowledge.vocabulary import UNLIMITED, vectors

XID = re.compile(r"NVRM: Xid \([^)]*\): (\d+)")
NO_LIMIT_BYTES = 2**60  # cgroup v1 writes "no limit" as a huge number of pages
CONTAINERS = re.compile(r"docker|kubepods|containerd|libpod|/lxc", re.IGNORECASE)
LOG_TAIL_BYTES = 1 << 20
LIMITS = {
    "limit.open_files": "RLIMIT_NOFILE",
    "limit.processes": "RLIMIT_NPROC",
    "limit.locked_memory": "RLIMIT_MEMLOCK",
    "limit.address_space": "RLIMIT_AS",
}


def read(path: Path) -> str | None:
    """The text of a file, or None. Never raises."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def number(path: Path) -> int | None:
    """The whole number that a file holds; None for `max`, for cgroup v1's huge "no limit", and without such a
    file.
    """
    text = (read(path) or "").strip()
    return int(text) if text.isdigit() and int(text) < NO_LIMIT_BYTES else None


def groups(root: Path, controller: str) -> Iterator[Path]:
    """Folders of the cgroups that this process is in for a controller, innermost first; version 2, then
    version 1.

    Inside a container /proc may name a path of the host that is not mounted here; its mount point is then the
    limit.
    """
    for line in (read(root / "proc/self/cgroup") or "").splitlines():
        kind, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if kind == "0" and not controllers:
            bases = [root / "sys/fs/cgroup", root / "sys/fs/cgroup/unified"]
        elif controller in controllers.split(","):
            bases = [root / "sys/fs/cgroup" / controllers, root / "sys/fs/cgroup" / controller]
        else:
            continue
        for base in bases:
            parts = [part for part in path.split("/") if part and part != ".."]
            for length in range(len(parts), -1, -1):
                folder = base.joinpath(*parts[:length])
                if folder.is_dir():
                    yield folder


def memory_facts(root: Path) -> dict[str, Fact]:
    """RAM as /proc and the cgroups limit it, and /dev/shm."""
    kibibytes = re.findall(r"(?m)^(\w+):\s+(\d+) kB", read(root / "proc/meminfo") or "")
    info = {name: int(value) * 1024 for name, value in kibibytes}
    facts: dict[str, Fact] = {}
    for name, field in (("ram.total", "MemTotal"), ("ram.free", "MemAvailable")):
        known = field in info
        facts[name] = Fact(info[field], f"/proc/meminfo {field}") if known else _not_here("/proc/meminfo")
    for folder in groups(root, "memory"):
        for name, fact in group_memory(folder).items():
            value, limit = facts[name].value, fact.value
            if not isinstance(value, int) or (isinstance(limit, int) and limit < value):
                facts[name] = fact
    try:
        space = os.statvfs(root / "dev/shm")
        facts["shm.total"] = Fact(space.f_blocks * space.f_frsize, "statvfs /dev/shm")
        facts["shm.free"] = Fact(space.f_bavail * space.f_frsize, "statvfs /dev/shm")
    except (OSError, AttributeError):
        facts["shm.total"] = facts["shm.free"] = _not_here("/dev/shm")  # noqa: S108
    return facts


def group_memory(folder: Path) -> dict[str, Fact]:
    """What the cgroup of this folder leaves of the RAM: its limit, and what of that is free; {} where it sets
    none.
    """
    limit, used = number(folder / "memory.max"), number(folder / "memory.current")
    name, cache_name = "memory.max", "inactive_file"
    if limit is None:
        limit, used = number(folder / "memory.limit_in_bytes"), number(folder / "memory.usage_in_bytes")
        name, cache_name = "memory.limit_in_bytes", "total_inactive_file"
    if limit is None:
        return {}
    facts = {"ram.total": Fact(limit, f"cgroup {name}")}
    if used is not None:
        # the kernel gives the page cache back under pressure
        cache = re.search(rf"(?m)^{cache_name} (\d+)", read(folder / "memory.stat") or "")
        free = max(0, limit - used + (int(cache[1]) if cache else 0))
        facts["ram.free"] = Fact(min(free, limit), f"cgroup {name}")
    return facts


def system_facts(root: Path, env: Mapping[str, str]) -> dict[str, Fact]:
    return {
        "cpu.cores": cores(root),
        **processor(root),
        **limits(),
        "container": is_container(root, env),
        "gpu.xid": newest_xid(root),
        **release(root),
    }


def cores(root: Path) -> Fact:
    """Cores by affinity, or fewer by the cgroup's quota (a part of a core counts as one)."""
    if hasattr(os, "sched_getaffinity"):
        count, how = len(os.sched_getaffinity(0)), "sched_getaffinity"
    else:
        count, how = os.cpu_count() or 1, "os.cpu_count"
    for folder in groups(root, "cpu"):
        quota, _, period = (read(folder / "cpu.max") or "").strip().partition(" ")
        if not quota.isdigit():
            quota, period = (
                (read(folder / "cpu.cfs_quota_us") or "").strip(),
                (read(folder / "cpu.cfs_period_us") or "").strip(),
            )
        if quota.isdigit() and period.isdigit() and int(period) > 0:
            allowed = max(1, math.ceil(int(quota) / int(period)))
            if allowed < count:
                count, how = allowed, f"cgroup quota {quota}/{period} us"
    return Fact(count, how)


def processor(root: Path) -> dict[str, Fact]:
    """The processor and what it can do: a build of torch may use instructions that it lacks (SIGILL)."""
    text = read(root / "proc/cpuinfo")
    if text is None:
        return dict.fromkeys(("cpu.model", "cpu.vectors"), _not_here("/proc/cpuinfo"))
    model = re.search(r"(?m)^(?:model name|Model|cpu model|Hardware)\s*:\s*(\S.*?)\s*$", text)
    flags = re.search(r"(?m)^(?:flags|Features)\s*:\s*(.*)$", text)
    silent = Fact(unknown="fact_unreadable", detail="/proc/cpuinfo")
    return {
        "cpu.model": Fact(" ".join(model[1].split()), "/proc/cpuinfo") if model else silent,
        "cpu.vectors": Fact(vectors(flags[1]), "/proc/cpuinfo") if flags else silent,
    }


def limits() -> dict[str, Fact]:
    """Soft limits of this process and its children (`ulimit`); one that is not set is a huge number."""
    try:
        import resource
    except ImportError:  # Windows
        return dict.fromkeys(LIMITS, Fact(unknown="fact_platform"))
    found = {}
    for name, constant in LIMITS.items():
        if hasattr(resource, constant):
            soft = resource.getrlimit(getattr(resource, constant))[0]
            found[name] = Fact(soft if soft != resource.RLIM_INFINITY else UNLIMITED, constant)
        else:
            found[name] = Fact(unknown="fact_platform")
    return found


def release(root: Path) -> dict[str, Fact]:
    """The distribution and its C library."""
    name = re.search(r"(?m)^PRETTY_NAME=\"?([^\"\n]+)", read(root / "etc/os-release") or "")
    try:
        libc = os.confstr("CS_GNU_LIBC_VERSION") if hasattr(os, "confstr") else None
    except (ValueError, OSError):  # musl, macOS
        libc = None
    return {
        "platform.release": Fact(name[1].strip(), "/etc/os-release")
        if name
        else _not_here("/etc/os-release"),
        "platform.libc": Fact(libc.removeprefix("glibc ") if libc else None, "confstr"),
    }


def is_container(root: Path, env: Mapping[str, str]) -> Fact:
    """The first sign of a container that is found."""
    for path in (".dockerenv", "run/.containerenv", ".singularity.d"):
        if (root / path).exists():
            return Fact("yes", f"/{path}")
    for name in ("KUBERNETES_SERVICE_HOST", "APPTAINER_CONTAINER", "SINGULARITY_CONTAINER", "container"):
        if env.get(name):
            return Fact("yes", name)
    if CONTAINERS.search(read(root / "proc/self/cgroup") or ""):
        return Fact("yes", "/proc/self/cgroup")
    if re.search(r"(?m)^\d+ \d+ \S+ \S+ / \S+ .*- overlay ", read(root / "proc/self/mountinfo") or ""):
        return Fact("yes", "/ is an overlay")
    if not (root / "proc/self/cgroup").exists():
        return (
            Fact("no", "sys.platform")
            if not sys.platform.startswith("linux")
            else _not_here("/proc/self/cgroup")
        )
    return Fact("no", "/.dockerenv, /proc/self/cgroup, /proc/self/mountinfo")


def hides_processes(root: Path, env: Mapping[str, str]) -> bool:
    """Whether the driver may list no process here although there are some: in a container, and under WSL."""
    return (
        is_container(root, env).value == "yes"
        or "microsoft" in (read(root / "proc/sys/kernel/osrelease") or "").lower()
    )


def newest_xid(root: Path) -> Fact:
    """The number of the last Xid line in the kernel log: /dev/kmsg, else the log files (both are often root's
    alone).
    """
    refused = ""
    for name in ("dev/kmsg", "var/log/kern.log", "var/log/syslog", "var/log/messages"):
        try:
            text = kernel_log(root / name)
        except OSError as error:
            refused = refused or f"/{name}: {error.strerror}"
            continue
        found = XID.findall(text)
        return Fact(int(found[-1]) if found else None, f"/{name}")
    return Fact(unknown="fact_unreadable", detail=refused)


def kernel_log(path: Path) -> str:
    """The last LOG_TAIL_BYTES bytes of a log file, or all that the kernel's ring buffer holds now. Raises
    OSError.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        if path.is_file():
            os.lseek(handle, max(0, os.fstat(handle).st_size - LOG_TAIL_BYTES), os.SEEK_SET)
        parts: list[bytes] = []
        for _ in range(200_000):  # /dev/kmsg gives one record a read and EAGAIN at its end
            try:
                part = os.read(handle, 8192)
            except BlockingIOError:
                break
            except BrokenPipeError:  # records were overwritten while we read: the next read goes on
                continue
            if not part:
                break
            parts.append(part)
        return b"".join(parts).decode("utf-8", "replace")
    finally:
        os.close(handle)


def gpus_without_nvml(root: Path) -> int | None:
    """GPUs that the kernel shows although NVML does not answer: NVIDIA's by their folder, AMD's by their
    compute nodes.

    None where there may be one that cannot be counted: WSL shows a device for all of them.
    """
    try:
        nvidia = len(os.listdir(root / "proc/driver/nvidia/gpus"))
    except OSError:
        nvidia = 0
    amd = 0
    for node in (root / "sys/class/kfd/kfd/topology/nodes").glob("*/properties"):
        amd += bool(re.search(r"(?m)^simd_count [1-9]", read(node) or ""))
    return None if not nvidia + amd and (root / "dev/dxg").exists() else nvidia + amd


def nvidia_by_kernel(root: Path) -> tuple[str | None, list[str]]:
    """(driver release, models) as the NVIDIA kernel module tells them: a container may lack libnvidia-ml
    alone.
    """
    release = re.search(
        r"Kernel Module.*?\s(\d+(?:\.\d+)+)\s", read(root / "proc/driver/nvidia/version") or ""
    )
    told = [read(path) or "" for path in sorted((root / "proc/driver/nvidia/gpus").glob("*/information"))]
    return release[1] if release else None, [
        found[1] for text in told if (found := re.search(r"(?m)^Model:\s*(\S.*?)\s*$", text))
    ]


def _not_here(name: str) -> Fact:
    return Fact(unknown="fact_not_here", detail=name)
