"""The system calls that a leg may not make, as a program for the kernel's filter (seccomp), assembled here.

What torch, compilers, multiprocessing and gloo call stays. Refused is what reaches into other processes,
other users' keys, the kernel or the mounts: each such call gives EPERM. The supervisor sets the filter before
the leg begins, with and without bubblewrap.
"""

from __future__ import annotations

import errno
import platform
import struct
import sys
from dataclasses import dataclass

# <linux/filter.h>, <linux/seccomp.h>: the few instructions that are needed
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000  # REFUSE carries the error number in its lower half
NUMBER_AT, ARCH_AT = 0, 4  # in struct seccomp_data (little-endian)
FIRST_ARGUMENT_AT, SECOND_ARGUMENT_AT, THIRD_ARGUMENT_AT = 16, 24, 32

# Calls by name: their numbers on x86_64 and on aarch64 (None: it has none). From the kernel's tables of
# system calls.
REFUSED: dict[str, tuple[int, int | None]] = {
    # into other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    # keys that the kernel keeps
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # memory that counts as nobody's
    "shmget": (29, 194),  # a segment that nobody holds, as is a set of semaphores, or a queue
    "semget": (64, 190),
    "msgget": (68, 186),
    "memfd_secret": (447, 447),
    "vmsplice": (278, 75),  # a pipe holds a huge page whole by one small part of it
    # into the kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "iopl": (172, None),
    "ioperm": (173, None),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "vhangup": (153, 58),
    # past the mounts
    "open_by_handle_at": (304, 265),
    "setns": (308, 268),
}
# What a script that may make namespaces of its own needs.
REFUSED_WITHOUT_NAMESPACES: dict[str, tuple[int, int | None]] = {
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
}
# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET, and NEWTIME, which only `unshare` takes
NEW_NAMESPACES, NEW_TIME = 0x7E020000, 0x80
# CLONE_THREAD, CLONE_FILES: a thread with a table of open files of its own, which nobody would look at
NEW_THREAD, SAME_FILES = 0x10000, 0x400
OWN_FILES = 0x2  # CLOSE_RANGE_UNSHARE does the same
TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX: they type into a terminal
# FS_IOC_RESVSP, RESVSP64, ZERO_RANGE: on every file system they take room at once, as fallocate does
ROOM_AT_ONCE = (0x40305828, 0x4030582A, 0x40305839)
LEASES = (1024, 1040)  # F_SETLEASE, F_SETDELEG: whoever opens such a file elsewhere waits for its reader
SOCKET_FAMILIES = (1, 2, 10, 16)  # unix, IPv4, IPv6, netlink; vsock, for one, would leave a virtual machine
X32_BIT = 0x40000000  # numbers of a second table of calls on x86_64


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of processor: its number in the kernel's audit, its column in the tables, calls looked at in
    detail.
    """

    audit: int
    column: int
    clone: int
    unshare: int
    ioctl: int
    socket: int
    fallocate: int
    fcntl: int
    clone3: int = 435
    close_range: int = 436


MACHINES = {
    "x86_64": Machine(0xC000003E, 0, clone=56, unshare=272, ioctl=16, socket=41, fallocate=285, fcntl=72),
    "aarch64": Machine(0xC00000B7, 1, clone=220, unshare=97, ioctl=29, socket=198, fallocate=47, fcntl=25),
}


def program(*, namespaces: bool = False, machine: str | None = None) -> bytes:
    """The filter as the kernel takes it; b"" for a kind of machine that is not known here.

    `namespaces`: the leg may make namespaces of its own and mount in them.
    """
    kind = MACHINES.get(machine or platform.machine())
    if kind is None or (machine is None and sys.platform != "linux"):
        return b""
    refused = REFUSED if namespaces else {**REFUSED, **REFUSED_WITHOUT_NAMESPACES}
    numbers = sorted(number for pair in refused.values() if (number := pair[kind.column]) is not None)
    refuse = _return(REFUSE | errno.EPERM)
    lines = [
        _line(LOAD, ARCH_AT),
        _jump(JUMP_EQUAL, kind.audit, 1, 0),  # calls of another table (32 bits) have other numbers
        refuse,
        _line(LOAD, NUMBER_AT),
        *([_jump(JUMP_AT_LEAST, X32_BIT, 0, 1), refuse] if kind.column == 0 else []),
    ]
    for number in numbers:
        lines += [_jump(JUMP_EQUAL, number, 0, 1), refuse]
    if not namespaces:
        # glibc goes back to clone(), whose flags can be looked at
        lines += [_jump(JUMP_EQUAL, kind.clone3, 0, 1), _return(REFUSE | errno.ENOSYS)]
        # it would take a whole disk at once; glibc writes zeros instead, which are counted
        lines += [_jump(JUMP_EQUAL, kind.fallocate, 0, 1), _return(REFUSE | errno.EOPNOTSUPP)]
        hidden_files = [
            _jump(JUMP_ANY_BIT, NEW_THREAD, 0, 2),
            _jump(JUMP_ANY_BIT, SAME_FILES, 1, 0),
            refuse,
        ]
        any_new = [_jump(JUMP_ANY_BIT, NEW_NAMESPACES, 0, 1), refuse]
        lines += _with_argument(kind.clone, FIRST_ARGUMENT_AT, [*any_new, *hidden_files])
        own_files = [_jump(JUMP_ANY_BIT, OWN_FILES, 0, 1), refuse]
        lines += _with_argument(kind.close_range, THIRD_ARGUMENT_AT, own_files)
        any_new = [_jump(JUMP_ANY_BIT, NEW_NAMESPACES | NEW_TIME | SAME_FILES, 0, 1), refuse]
        lines += _with_argument(kind.unshare, FIRST_ARGUMENT_AT, any_new)
    for number, codes in ((kind.ioctl, (*TERMINAL_INPUT, *ROOM_AT_ONCE)), (kind.fcntl, LEASES)):
        each = [line for code in codes for line in (_jump(JUMP_EQUAL, code, 0, 1), refuse)]
        lines += _with_argument(number, SECOND_ARGUMENT_AT, each)
    known = [
        _jump(JUMP_EQUAL, family, len(SOCKET_FAMILIES) - at, 0) for at, family in enumerate(SOCKET_FAMILIES)
    ]
    lines += _with_argument(kind.socket, FIRST_ARGUMENT_AT, [*known, _return(REFUSE | errno.EAFNOSUPPORT)])
    return b"".join([*lines, _return(ALLOW)])


def _with_argument(number: int, at: int, lines: list[bytes]) -> list[bytes]:
    """`lines` look at the lower half of one argument of this call; what passes them is allowed."""
    return [_jump(JUMP_EQUAL, number, 0, len(lines) + 2), _line(LOAD, at), *lines, _return(ALLOW)]


def _line(code: int, value: int) -> bytes:
    return struct.pack("<HBBI", code, 0, 0, value)


def _jump(code: int, value: int, if_true: int, if_false: int) -> bytes:
    """How many instructions are passed over in either case."""
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _return(what: int) -> bytes:
    return _line(RETURN, what)
