"""A jail for a leg, by bubblewrap (`bwrap`) where it is installed and the system lets it work.

A leg has no capabilities, also as root. It writes to its own folder and to a bounded /dev/shm; it sees the
system's programs and libraries, and where its Python and torch lie, and nothing else of the file system: no
home, no /run, /tmp or /var, so no keys and no sockets of other programs. It has `lo` alone of the network, of
the devices those of GPUs alone, and sees and signals no process but its own: with the first process of its
namespace all of them end, whatever they did to their supervisor. Calls that reach into the kernel or other
processes are refused (`calls.py`), with and without bubblewrap.
"""

from __future__ import annotations

import glob
import os
import re
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assistant.machine import places
from assistant.runtime import system

from . import calls
from .limits import MAX_SHM_BYTES

PROGRAM_TIMEOUT_S = 10
GPU_DEVICES = ("/dev/nvidia*", "/dev/dri", "/dev/kfd", "/dev/dxg", "/dev/accel")
# What every program may read. Of NixOS, the folders in /run are links to the system's own programs and
# drivers.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/sys")
SYSTEM_PARTS = ("/run/opengl-driver", "/run/opengl-driver-32", "/run/current-system", "/snap")
# Of /etc what names libraries, users, hosts and time; neither keys nor passwords.
ETC = (
    *(
        "ld.so.*",
        "ld-musl*",
        "passwd",
        "group",
        "hosts",
        "host.conf",
        "gai.conf",
        "nsswitch.conf",
        "protocols",
        "services",
    ),
    *(
        "localtime",
        "timezone",
        "locale*",
        "os-release",
        "debian_version",
        "redhat-release",
        "alternatives",
        "python*",
    ),
    *("OpenCL", "vulkan", "nvidia*", "cuda*", "fonts", "mime.types", "terminfo"),
)
# Homes of users that are nobody's: folders of the system.
ROLES = ("/usr", "/usr/bin", "/usr/sbin", "/usr/games", "/bin", "/sbin", "/opt", "/sys")
SUPERVISOR = Path(__file__).with_name("supervisor.py")
# Files of /proc that the real root may write without any capability, since they ask for the user alone.
PROC_READ_ONLY = (
    *("acpi", "asound", "bus", "cpu", "driver", "dynamic_debug", "fs", "irq", "latency_stats", "mtrr"),
    *("pressure", "scsi", "slabinfo", "sys", "sysrq-trigger", "tty"),
)
# What the kernel tells root of other programs and of its last crash: asked for by the user alone as well.
SYS_HIDDEN = (
    *("/sys/fs/bpf", "/sys/fs/pstore"),
    *("/sys/kernel/debug", "/sys/kernel/security", "/sys/kernel/tracing"),
)
NIX_DAEMON = "/nix/var/nix/daemon-socket"  # builds what anybody asks for, with a network, as another user
OCTAL = re.compile(r"\\([0-7]{3})")  # how the kernel writes a blank in the name of a mount
UNIX_SOCKETS = Path("/proc/net/unix")
MAX_SOCKETS = 500  # that are hidden one by one
# From the strongest to the weakest: bubblewrap before 0.8 has no --disable-userns, before 0.7 no --size; some
# systems give no user namespaces, and a container may forbid a new /proc, which process numbers need.
FEATURES = (
    frozenset({"user", "sealed", "pids", "size"}),
    frozenset({"user", "pids", "size"}),
    frozenset({"user", "pids"}),
    frozenset({"pids", "size"}),
    frozenset({"pids"}),
    frozenset({"user"}),
    frozenset[str](),
)
# Guards by name, as `phrases.py` says them; what the supervisor finds out itself (network, calls) it adds.
FILES, PROCESSES, SHM, NETWORK, CALLS, TREE = "files", "processes", "shm", "network", "calls", "tree"


@dataclass(frozen=True, slots=True)
class Jail:
    """How a leg is shut in: words to put before its command, the filter of its system calls, and the guards
    that this system does not give.
    """

    words: tuple[str, ...] = ()
    filter: bytes = b""
    missing: tuple[str, ...] = ()


OPEN = Jail()  # for a program that needs none


def jail(folder: str, needed: Iterable[str] = (), *, namespaces: bool = False) -> Jail:
    """A jail in which `folder` alone can be written, and beside the system the `needed` folders and files be
    read.

    `namespaces` lets the leg make namespaces of its own, in which it is root: for scripts that are trusted.
    """
    if sys.platform != "linux":
        return Jail(missing=(FILES, NETWORK, PROCESSES, TREE, SHM, CALLS))
    filter = calls.program(namespaces=namespaces)
    unfiltered = () if filter else (CALLS,)
    program = system.program("bwrap")
    features = _features(program) if program else None
    if program is None or features is None:
        return Jail((), filter, (FILES, PROCESSES, SHM, *unfiltered))
    missing = (
        *(() if "pids" in features else (PROCESSES,)),
        *(() if "size" in features else (SHM,)),
        *unfiltered,
    )
    features -= {"sealed"} if namespaces else frozenset()
    return Jail(tuple(_words(program, folder, features, needed, namespaces)), filter, missing)


def _words(
    program: str, folder: str, features: frozenset[str], needed: Iterable[str] = (), namespaces: bool = False
) -> list[str]:
    words = [program, "--die-with-parent", "--cap-drop", "ALL", "--unshare-net", "--unshare-ipc"]
    words += [*_readable(needed, folder), "--dev", "/dev"]
    for path in sorted(path for pattern in GPU_DEVICES for path in glob.glob(pattern)):
        words += ["--dev-bind-try", path, path]
    words += ["--remount-ro", "/dev"]
    words += ["--size", str(MAX_SHM_BYTES)] if "size" in features else []
    words += ["--tmpfs", "/dev/shm"]  # noqa: S108
    if "user" in features:
        words += ["--unshare-user"]
        if namespaces and os.geteuid() == 0:
            # The kernel gives no namespace of users to a root that has lost its capabilities.
            words += ["--uid", "1000", "--gid", "1000"]
    words += ["--disable-userns"] if "sealed" in features else []
    if "pids" in features:
        # The supervisor is the first process itself: bubblewrap's own would be open to the leg (/proc/1/mem),
        # and has no filter.
        words += ["--unshare-pid", "--as-pid-1", "--proc", "/proc"]
        for name in PROC_READ_ONLY:
            words += ["--ro-bind-try", f"/proc/{name}", f"/proc/{name}"]
    else:
        words += ["--ro-bind", "/proc", "/proc"]
    return [*words, *_writable(folder, features), "--remount-ro", "/", "--chdir", folder, "--"]


def _writable(folder: str, features: frozenset[str]) -> list[str]:
    """Words that let the leg write to its folder.

    Where that lies in memory (a /tmp that is a tmpfs) what is written counts as nobody's, so there it gets a
    bounded one of its own, with what lies in the folder.
    """
    if "size" not in features or not in_memory(folder):
        return ["--bind", folder, folder]
    words = ["--size", str(MAX_SHM_BYTES), "--tmpfs", folder]
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        empty = entry.is_dir() and not os.listdir(entry.path)
        words += ["--dir", entry.path] if empty else ["--ro-bind", entry.path, entry.path]
    return words


def in_memory(folder: str, mounts: Path = Path("/proc/self/mountinfo")) -> bool:
    """Whether a folder lies on a file system that is kept in memory."""
    folder, best, found = os.path.realpath(folder), "", ""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return False
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        place = OCTAL.sub(lambda code: chr(int(code[1], 8)), fields[4]) if len(fields) > 4 else ""
        if place and _is_in(folder, [place]) and len(place) >= len(best):
            best, found = place, after.split(" ")[0]
    return found in ("tmpfs", "ramfs")


def _readable(needed: Iterable[str], folder: str) -> list[str]:
    """Words that show the system and the `needed` places, read-only, without sockets of other programs: a
    place that is read-only keeps nobody from speaking to one. `folder` is the leg's own.
    """
    words: list[str] = []
    system = [name for name in SYSTEM if os.path.exists(name)]
    for name in system:
        words += ["--symlink", os.readlink(name), name] if os.path.islink(name) else ["--ro-bind", name, name]
    parts = [name for name in SYSTEM_PARTS if os.path.exists(name)]
    parts += sorted(path for name in ETC for path in glob.glob(f"/etc/{name}"))
    for name in parts:
        words += ["--ro-bind-try", name, name]
    own = (sys.executable, sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), str(SUPERVISOR))
    homes = {os.path.expanduser("~"), os.path.expanduser(f"~{_user()}")}
    homes |= {os.path.realpath(home) for home in homes if os.path.isabs(home)}
    covered = [home for home in sorted(homes) if _is_in(home, system) and home not in ROLES and _is_own(home)]
    hidden = [*covered, *filter(os.path.isdir, (*SYS_HIDDEN, NIX_DAEMON))]
    for name in hidden:
        words += ["--tmpfs", name]
    shown = [
        name
        for name in places.shown((*own[1:], *needed), homes)
        if name not in system and (not _is_in(name, system) or _is_in(name, covered))
    ]

    def reached(name: str) -> bool:
        seen = _is_in(name, shown) or (_is_in(name, (*system, *SYSTEM_PARTS)) and not _is_in(name, hidden))
        return seen and not _is_in(name, [folder])

    links: list[str] = []
    for program in {own[0], *(name for name in needed if os.path.islink(name))}:
        links += [name for name in places.links_to(program) if os.path.islink(name)]
    for name in shown:
        words += ["--ro-bind-try", name, name]
    for name in dict.fromkeys(links):
        if not _is_in(name, (*system, *parts, *shown)):
            words += ["--symlink", os.readlink(name), name]
    words += ["--dir", folder] if _is_in(folder, hidden) else []  # while there can still be made one
    for name in hidden:  # else the leg could fill them with what nobody counts
        words += ["--remount-ro", name]
    for name in [name for name in _sockets() if reached(name)][:MAX_SOCKETS]:
        words += ["--ro-bind", os.devnull, name]
    return words


def _sockets(table: Path = UNIX_SOCKETS) -> list[str]:
    """The sockets with a name that programs of this machine hold open, as far as this user comes to them."""
    try:
        lines = table.read_text("utf-8", "surrogateescape").splitlines()[1:]
    except OSError:
        return []
    names = {line.split(" /", 1)[1] for line in lines if " /" in line}
    found = set[str]()
    for name in names:
        with suppress(OSError, ValueError):
            path = os.path.realpath(f"/{name}")
            if stat.S_ISSOCK(os.lstat(path).st_mode) and all(map(_may_enter, Path(path).parents)):
                found.add(path)
    return sorted(found)


def _may_enter(folder: Path) -> bool:
    """Whether a leg comes through this folder: as its owner, as one of its group or as anybody, without
    rights of root.
    """
    if os.geteuid() != 0:
        return os.access(folder, os.X_OK, effective_ids=True)
    status = folder.stat()
    if status.st_uid == 0:
        return bool(status.st_mode & stat.S_IXUSR)
    ours = status.st_gid in (os.getegid(), *os.getgroups())
    return bool(status.st_mode & (stat.S_IXGRP if ours else stat.S_IXOTH))


def _is_in(name: str, folders: Iterable[str]) -> bool:
    return any(name == folder or places.is_below(name, folder) for folder in folders)


def _is_own(folder: str) -> bool:
    try:
        return os.stat(folder).st_uid == os.geteuid()
    except OSError:
        return False


def _user() -> str:
    """The name of the user that this process really is; "" where the system knows none."""
    with suppress(ImportError, KeyError):
        import pwd

        return pwd.getpwuid(os.geteuid()).pw_name
    return ""


@lru_cache(maxsize=4)
def _features(program: str) -> frozenset[str] | None:
    """The strongest jail that starts a program here (10 ms each); None where none does."""
    return next((features for features in FEATURES if _works(program, features)), None)


def _works(program: str, features: frozenset[str]) -> bool:
    """Whether this jail can be made here, and torchwhy's own Python be started in it."""
    try:
        with tempfile.TemporaryDirectory(prefix="torchwhy-") as folder:
            command: Sequence[str] = [sys.executable, "-I", "-S", "-c", ""]
            done = subprocess.run(
                [*_words(program, folder, features), *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=PROGRAM_TIMEOUT_S,
                check=False,
            )
        return done.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
