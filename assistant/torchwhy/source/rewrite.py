"""A file of the user's with some lines edited: what it would hold, and its exchange in one step."""

from __future__ import annotations

import ast
import os
import tempfile
import tokenize
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple


class Edit(NamedTuple):
    """Columns `start` to `end` (from 0, characters) of a line (from 1) that are to read `text`."""

    line: int
    start: int
    end: int
    text: str


def rewritten(path: str, edits: Sequence[Edit]) -> bytes | None:
    """What the file holds with every edit made. None where the changed text would not parse, where more than
    the edits would change (its encoding writes line ends in another way, or they are mixed), and for a link:
    what it leads to may lie outside of what was to be changed.

    Raises OSError, UnicodeDecodeError, SyntaxError (of an encoding that the file names).
    """
    if os.path.islink(path):
        return None
    with tokenize.open(path) as file:
        encoding, text = file.encoding, file.read()
        newline = file.newlines if isinstance(file.newlines, str) else "\n"
    with open(path, "rb") as raw:
        if text.replace("\n", newline).encode(encoding) != raw.read():
            return None
    changed = edited(text, edits)
    try:
        ast.parse(changed)
    except (SyntaxError, ValueError):
        return None
    return changed.replace("\n", newline).encode(encoding)


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with every edit made, the last one first, so that columns and numbers stay right; a line of
    which nothing is left goes.
    """
    lines = text.split("\n")
    for edit in sorted(edits, reverse=True):
        line = lines[edit.line - 1]
        new = line[: edit.start] + edit.text + line[edit.end :]
        lines[edit.line - 1 : edit.line] = [new] if edit.text or new.strip() else []
    return "\n".join(lines)


def line_edit(text: str, line: int, before: str, after: str) -> Edit:
    """The edit of a whole line of a text, its indentation left. Raises ValueError where it does not read
    `before`, or there is none of that number.
    """
    lines = text.split("\n")
    row = lines[line - 1].rstrip("\r") if 0 < line <= len(lines) else ""
    if row.strip() != before:
        raise ValueError(f"line {line} is another one by now")
    start = len(row) - len(row.lstrip())
    return Edit(line, start, start + len(before), after)


def exchange(path: str, content: bytes) -> None:
    """Exchange the file in one step, its owner and mode kept; through a linked folder the file in it."""
    real = os.path.realpath(path)
    was = os.stat(real)
    handle, name = tempfile.mkstemp(dir=os.path.dirname(real))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            # By the open file: where others write to the folder, its name may be another one by now. No file
            # runs as its owner for being fixed.
            if hasattr(os, "fchown") and (was.st_uid, was.st_gid) != (os.geteuid(), os.getegid()):
                with suppress(PermissionError):  # only root gives files away
                    os.fchown(handle, was.st_uid, was.st_gid)
            os.chmod(handle if os.chmod in os.supports_fd else name, was.st_mode & 0o777)
        os.replace(name, real)
    except BaseException:
        os.unlink(name)
        raise
