"""Whose line it is: the user's own innermost frame, and the package whose line failed.

Both are read off the traceback that leads the text; where it has none, off the one that belongs to the same
rank.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from torchwhy.text.lazy_re import lazy_compile

from .line_patterns import CARETS, FRAME
from .owner import EGG, INSTALLED
from .paste import Found, Frame, Paste

MAX_OWN_FRAMES = 8
MAX_TRACEBACK_LINES = 2000  # of one that was pasted alone
HEAD = "Traceback (most recent call last):"
CODE_INDENT = "    "  # of a frame's line of code
MAX_RELEASE_CHARS = 200_000  # of a paste, where a package's release is looked for
ITERATED = ("__next__", "__iter__")  # what a `for` calls, whoever wrote it
LACKING = (
    "ImportError",
    "ModuleNotFoundError",
    "AttributeError",
    "TypeError",
)  # of what is asked of a package
FAR = lazy_compile(r"[/\\]{2}|/(?:net|proc|sys|dev)/")


class UserFrame(NamedTuple):
    """A line of the user's own: `line` is None where the text has no number, `code` "" where it shows no
    line.

    `expression`: the part of the line that the traceback's carets mark; "" where it has none.
    """

    file: str
    line: int | None
    code: str
    function: str
    expression: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


class Package(NamedTuple):
    """The package whose line failed, by the name that pip knows; `release` where the text says it."""

    name: str
    release: str | None


def is_far(file: str) -> bool:
    """Whether a look at a file that a text names would ask another machine, or a device: Windows sends a
    user's credentials to any server that a path begins with, automounters reach for any host below /net.
    """
    if FAR.match(file) or FAR.match(posixpath.normpath(file)):
        return True
    try:
        return bool(FAR.match(posixpath.normpath(os.path.abspath(file))))  # `../../net/host/x.py`
    except (OSError, ValueError):  # the folder that this runs in is gone
        return True


def here_of(paste: Paste) -> UserFrame | None:
    """The user's own innermost frame of the error that leads; None where no traceback of his stands in the
    text.
    """
    return next(_own(paste), None)


def own_frames(paste: Paste) -> tuple[UserFrame, ...]:
    """The user's own frames of the error that leads, the innermost first; at most MAX_OWN_FRAMES."""
    return tuple(islice(_own(paste), MAX_OWN_FRAMES))


def _own(paste: Paste) -> Iterator[UserFrame]:
    """The frames of the first error that has any of the user's."""
    for error in leading(paste):
        own = [frame for frame in error.frames if not frame.owner]
        for frame in reversed(own):
            code, expression = shown_code(paste, error, frame)
            yield UserFrame(frame.file, frame.line or None, code, frame.function, expression)
        if own:
            return


def package_of(paste: Paste) -> Package | None:
    """The package whose line failed: the innermost frame that is neither torch's nor Python's, if it is no
    user's.

    It says where, not whose fault it is. A package that is only in the way is none: one that iterates over
    what it was given, or that reports how a program or a cell it started has ended.
    """
    root = paste.root
    if root is None or root.role == "wrapper":
        return None
    inner = ""  # the function that the frame at hand called
    for frame in reversed(root.frames):
        owner = frame.owner
        if owner not in ("torch", "python"):
            if not owner or inner in ITERATED:
                return None
            from .libraries import pip_name

            name = pip_name(owner)
            return Package(name, release_of(paste, owner, name, frame.file))
        inner = frame.function
    return None


def leading(paste: Paste) -> Iterator[Found]:
    """The error that leads; where none of its frames is the user's, also what else failed with a traceback
    in the same rank: the exception that torch raised inside of torch, in place of it, has the user's line.
    """
    root = paste.root
    if root is None:
        return
    yield root
    if all(frame.owner in ("torch", "python") for frame in root.frames):
        for error in paste.errors[1:]:
            if error.rank == root.rank and error.frames and error.role not in ("warning", "advice"):
                yield error


def shown_code(paste: Paste, error: Found, frame: Frame) -> tuple[str, str]:
    """The source line of a frame, and what of it the carets below mark."""
    if not frame.code:
        return _warned_code(paste, error), ""
    head = f'File "{frame.file}", line {frame.line}'
    lines = paste.lines
    for number in range(min(error.end, len(lines) - 2) - 1, error.start - 1, -1):
        if head in lines[number] and lines[number + 1].strip() == frame.code:
            carets = lines[number + 2]
            if CARETS.match(carets):
                indent = len(lines[number + 1]) - len(lines[number + 1].lstrip())
                start, end = len(carets) - len(carets.lstrip()) - indent, len(carets.rstrip()) - indent
                if 0 <= start < end <= len(frame.code):
                    return frame.code, frame.code[start:end]
            break
    return frame.code, ""


def _warned_code(paste: Paste, error: Found) -> str:
    """The source line that Python shows below a warning."""
    if error.role != "warning" or error.end <= error.start + 1 or error.end > len(paste.lines):
        return ""
    last = paste.lines[error.end - 1]
    return last.strip() if last.startswith("  ") else ""


def release_of(paste: Paste, owner: str, name: str, file: str) -> str | None:
    """The release of a package that the text names: in the path of an egg, or beside its name."""
    installed = INSTALLED.search(file)
    egg = EGG.match(re.split(r"[/\\]", installed[1])[0]) if installed else None
    if egg:
        return egg[2]
    either = "|".join(re.escape(each).replace(r"\-", "[-_]") for each in dict.fromkeys((name, owner)))
    said = re.compile(
        rf"(?i)(?<![\w./\\-])(?:{either})(?:[ \t]+version)?(?:[ \t]*[:=]{{1,2}}[ \t]*|[ \t]+|-)v?(\d+\.\d+[\w.+]*)"
    )
    found = said.search(paste.text[:MAX_RELEASE_CHARS])
    return found[1].rstrip(".") if found else None


def is_cut_off(paste: Paste) -> bool:
    """Whether a text is a traceback without its last line, which names the error."""
    if paste.root is not None or len(paste.lines) > MAX_TRACEBACK_LINES or HEAD not in paste.text:
        return False
    lines = [line for line in paste.lines if line.strip() and not CARETS.match(line)]
    words = paste.words
    for line in lines:
        if HEAD in line or FRAME.match(line) or line.startswith(CODE_INDENT):
            words = words.replace(line, "")
    tail = lines[-2:]
    return not words.strip() and any(FRAME.match(line) for line in tail)


def says_no_module(paste: Paste) -> bool:
    """Whether the leading error is an import's."""
    return paste.root is not None and paste.root.name in ("ModuleNotFoundError", "ImportError")
