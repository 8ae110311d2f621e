"""The changes that cannot be wrong, written into the files."""

from __future__ import annotations

import ast
import os
import tempfile
import tokenize
from collections.abc import Sequence
from contextlib import suppress

from .finding import Finding
from .rule import Edit


def apply_fixes(findings: Sequence[Finding]) -> list[Finding]:
    """Write the edits of these findings; the findings that are fixed now. A file whose changed text would
    not parse is left as it is, and so is one of which more than the edits would change (its encoding writes
    line ends in another way, or they are mixed), and a link: what it leads to may lie outside of what was to
    be fixed. Raises OSError.
    """
    fixed: list[Finding] = []
    for path in dict.fromkeys(each.path for each in findings if each.edit and each.sure == "wrong"):
        if os.path.islink(path):
            continue
        its = [each for each in findings if each.path == path and each.edit and each.sure == "wrong"]
        with tokenize.open(path) as file:
            encoding, text = file.encoding, file.read()
            newline = file.newlines if isinstance(file.newlines, str) else "\n"
        with open(path, "rb") as raw:
            if text.replace("\n", newline).encode(encoding) != raw.read():
                continue
        changed = edited(text, [each.edit for each in its if each.edit])
        try:
            ast.parse(changed)
        except (SyntaxError, ValueError):
            continue
        _replace(path, changed.replace("\n", newline).encode(encoding))
        fixed += its
    return fixed


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with every edit made, the last one first, so that columns stay right."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda each: (each.line, each.start), reverse=True):
        line = lines[edit.line - 1]
        lines[edit.line - 1] = line[: edit.start] + edit.text + line[edit.end :]
    return "\n".join(lines)


def _replace(path: str, content: bytes) -> None:
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
