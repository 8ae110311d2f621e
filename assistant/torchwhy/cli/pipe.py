"""The last program of a pipe on a terminal: what comes is shown as it comes, and kept to be answered."""

from __future__ import annotations

import os
import select
import signal
import time
from typing import IO, cast

from torchwhy.errors import UsageError
from torchwhy.runtime.descriptors import write_whole

CHUNK_BYTES = 1 << 16
BLOCK_BYTES = 1 << 18  # that the reader of errors is given at once
LAST_WORDS_S = 5.0  # after Ctrl-C, for the traceback that the program prints


def read_and_show(source: int = 0, target: int = 1) -> str:
    """Everything from `source`, shown on `target` meanwhile.

    Ctrl-C goes to the program at the other end as well; what it prints then is still read, and the text so
    far is given, not lost. A second one ends the wait.
    """
    from torchwhy.paste.reading import read_text

    shown = _Shown(source, target)
    before = signal.signal(signal.SIGINT, shown.on_press)
    try:
        return read_text(cast("IO[bytes]", shown))
    except UsageError:  # binary output: nothing in it can be read
        while shown.read(BLOCK_BYTES):
            pass
        return ""
    finally:
        signal.signal(signal.SIGINT, before)


class _Shown:
    """The stream of bytes that the reader of errors pulls: each is shown before."""

    def __init__(self, source: int, target: int) -> None:
        self._source, self._target = source, target
        self._deadline = float("inf")
        self._rest = b""

    def on_press(self, number: int, frame: object) -> None:
        first = self._deadline == float("inf")
        self._deadline = time.monotonic() + (LAST_WORDS_S if first else 0)

    def read(self, size: int) -> bytes:
        while len(self._rest) < BLOCK_BYTES and (left := self._deadline - time.monotonic()) > 0:
            if not select.select([self._source], [], [], min(left, 0.2))[0]:
                continue
            data = os.read(self._source, CHUNK_BYTES)
            if not data:
                self._deadline = 0.0
            write_whole(self._target, data)
            self._rest += data
        part, self._rest = self._rest[:size], self._rest[size:]
        return part
