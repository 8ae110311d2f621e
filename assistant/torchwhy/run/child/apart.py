"""What keeps a fork of a user's program apart from it: no descriptor in common, nothing written or started.

A trial of a change and the watch's probes run so (Python 3.8 and later, the standard library alone).
"""

from __future__ import annotations

import os
from typing import Any, Tuple

MAX_WORDS_CHARS = 200  # of an error
# What may not be done, and what is named like it
REFUSED = tuple("socket. subprocess. os. shutil. ctypes.dlopen sqlite3. signal. mmap. syslog.".split())
HARMLESS = frozenset("os.listdir os.scandir os.walk os.fwalk os.getxattr os.listxattr".split())


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
