"""What keeps a fork of a user's program apart from it: no descriptor in common, nothing written or started.

A trial of a change and the watch's probes run so (Python 3.8 and later, the standard library alone).
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from typing import Any, Tuple

MAX_WORDS_CHARS = 200  # of an error
# What may not be done, and what is named like it
REFUSED = tuple("socket. subprocess. os. shutil. ctypes.dlopen sqlite3. signal. mmap. syslog.".split())
HARMLESS = "os.listdir os.scandir os.walk os.fwalk os.getxattr os.listxattr os.putenv os.unsetenv".split()
# Landlock's system calls, and its rights by the release of it: to write, remove and make files; to cut them
# off; to bind and connect sockets
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
NO_NEW_PRIVILEGES = 38
WRITE, CHANGES, REFER, TRUNCATE = 1 << 1, 0b1_1111_1111 << 4 | 1 << 1, 1 << 13, 1 << 14


def let_go_of_descriptors(kept: int) -> None:
    """Close every descriptor but this one (a GPU, a port, a lock; a file has one position for both), and let
    the standard streams lead nowhere.
    """
    for name in os.listdir("/proc/self/fd"):
        try:
            if int(name) != kept:
                os.close(int(name))
        except OSError:
            pass
    while os.open(os.devnull, os.O_RDWR) < 2:
        pass


def refuse(event: str, given: Tuple[Any, ...]) -> None:
    """An audit hook: nothing is written, connected to or started; of files, plain ones are read."""
    if event == "open":
        path, _, flags = given
        written = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
        if written or not (path == os.devnull or os.path.isfile(path)):
            raise PermissionError("refused in a fork: open " + str(path)[:MAX_WORDS_CHARS])
    elif event.startswith(REFUSED) and event not in HARMLESS:
        raise PermissionError("refused in a fork: " + event)


def shut_in(*folders: str, network: bool = False) -> bool:
    """Let the kernel refuse this process, and what it starts, every change of a file that is not below the
    folders, and without `network` every connection (Linux 6.7): also where a library in C opens it. False
    where it cannot.
    """
    if not sys.platform.startswith("linux"):
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    release = call(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if release < 1:
        return False
    rights = CHANGES | (REFER if release > 1 else 0) | (TRUNCATE if release > 2 else 0)
    wanted = struct.pack("=QQ", rights, 3) if release > 3 and not network else struct.pack("=Q", rights)
    rules = call(CREATE_RULESET, wanted, ctypes.c_size_t(len(wanted)), 0)
    for path in (*folders, os.devnull):
        number = os.open(path, os.O_PATH)
        allowed = (WRITE | TRUNCATE) & rights if path == os.devnull else rights
        failed = call(ADD_RULE, rules, 1, struct.pack("=Qi", allowed, number), 0)
        os.close(number)
        if failed:
            return False
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return not prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) and not call(RESTRICT_SELF, rules, 0)
