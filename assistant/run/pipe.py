"""The last program of a pipe on a terminal: what comes is shown as it comes, and kept to be answered."""

from __future__ import annotations

import os
import select
import signal
import time

from .descriptors import write_whole
from .kept import KeptLog

CHUNK_BYTES = 1 << 16
LAST_WORDS_S = 5.0  # after Ctrl-C, for the traceback that the program prints


def read_and_show(source: int = 0, target: int = 1) -> str:
    """Everything from `source`, shown on `target` meanwhile.

    Ctrl-C goes to the program at the other end as well; what it prints then is still read, and the text so
    far is given, not lost. A second one ends the wait.
    """
    presses = 0
    deadline = float("inf")

    def on_press(number: int, frame: object) -> None:
        nonlocal presses, deadline
        presses += 1
        deadline = time.monotonic() + (LAST_WORDS_S if presses == 1 else 0)

    log = KeptLog()
    before = signal.signal(signal.SIGINT, on_press)
    try:
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([source], [], [], min(left, 0.2))[0]:
                continue
            data = os.read(source, CHUNK_BYTES)
            if not data:
                break
            log.feed(0, data)
            write_whole(target, data)
    finally:
        signal.signal(signal.SIGINT, before)
    return log.close()
