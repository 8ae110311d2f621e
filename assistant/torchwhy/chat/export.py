"""Where an exported chat goes."""

from __future__ import annotations

import os
from pathlib import Path

FILE_NAME = "torchwhy-chat.md"


def write_export(text: str) -> Path:
    """Write an export into the current folder, beside what is there, and return its path. Raises OSError."""
    first = Path(FILE_NAME).absolute()
    number = 0
    while True:
        path = first.with_stem(f"{first.stem}-{number}") if number else first
        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)  # it may quote a program
            with open(handle, "w", encoding="utf-8") as file:
                file.write(text)
            return path
        except FileExistsError:
            number += 1
