"""Keys for a program that reads them from torchwhy's pseudo-terminal (Linux).

A pager such as `less` (in `help()`, in pdb) opens the terminal of its standard error by name, where nobody
types. What is typed is handed on while such a program runs, and only then: others read the real terminal.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass

from .below import processes

INPUTS = ("0", "1", "2")


@dataclass(frozen=True, slots=True)
class Reader:
    """A process's own open file on the pseudo-terminal."""

    link: str
    name: str

    def is_there(self) -> bool:
        with suppress(OSError):
            return os.readlink(self.link) == self.name
        return False


def reader_of(name: str, root: int) -> Reader | None:
    """A process below `root` that opened the terminal of this name to read, beside its outputs."""
    for pid in processes(root):
        with suppress(OSError, ValueError):
            folder = f"/proc/{pid}/fd"
            for number in os.listdir(folder):
                reader = Reader(f"{folder}/{number}", name)
                if number not in INPUTS and reader.is_there() and _only_reads(pid, number):
                    return reader
    return None


def _only_reads(pid: int, number: str) -> bool:
    """A copy of an output (as pytest keeps one) is open for both."""
    with open(f"/proc/{pid}/fdinfo/{number}", encoding="ascii") as file:
        words = file.read().split()
    return int(words[words.index("flags:") + 1], 8) & os.O_ACCMODE == os.O_RDONLY
