"""Where an exported chat goes."""

from __future__ import annotations

from pathlib import Path

NAME = "torchwhy-chat.md"


def written(text: str) -> Path:
    """Write an export into the current folder, beside what is there, and return its path. Raises OSError."""
    first = Path(NAME).absolute()
    number = 0
    while True:
        path = first.with_stem(f"{first.stem}-{number}") if number else first
        try:
            with open(path, "x", encoding="utf-8") as file:
                file.write(text)
            return path
        except FileExistsError:
            number += 1
