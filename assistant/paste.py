"""Reading a paste: which errors it holds, in which role, and which one leads.

A paste is a Python traceback, a torchrun log, a notebook dump, a bare message, or a question in words. `parse` never
fails: where it finds no error, the whole text is the question. Roles: `root` (the cause that the text shows), `wrapper`
(an exception that only carries another), `cascade` (what broke because something else had), `warning`, `advice`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from .cleaning import lines_of
from .foreign import foreign_hints
from .language import language_of
from .looks import (
    ABORTED,
    ADVICE,
    ARROW,
    ASSERT,
    CASCADES,
    CHAIN,
    CPP,
    EXCEPTION,
    FRAME,
    HEADER,
    IGNORED,
    INLINE,
    NOT_PROSE,
    NOTEBOOK,
    NOTEBOOK_FRAME,
    SHELL,
    SOURCE,
    STOP,
    TORCH_RELEASE,
    WARNING,
    WRAPPED,
    WRAPPERS,
)

Role = Literal["root", "wrapper", "cascade", "warning", "advice"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of a traceback: file, line number (0 if unknown), function, the source line shown."""

    file: str
    line: int
    function: str
    code: str = ""

    @property
    def library(self) -> bool:
        """Whether the frame lies in installed code rather than in the user's own."""
        return bool(re.search(r"site-packages|dist-packages|[/\\]lib[/\\]python3|<frozen|importlib|runpy\.py|<__array", self.file))


@dataclass(frozen=True, slots=True)
class Found:
    """One error in a paste. `start` and `end` are line numbers (end exclusive) in `Paste.lines`."""

    role: Role
    exception: str
    message: str
    start: int
    end: int
    frames: tuple[Frame, ...] = ()
    rank: int | None = None

    @property
    def name(self) -> str:
        """The exception's last name: `torch.cuda.OutOfMemoryError` -> `OutOfMemoryError`."""
        return self.exception.rsplit(".", 1)[-1]

    @property
    def user_frame(self) -> Frame | None:
        """The innermost frame of the user's own code."""
        return next((frame for frame in reversed(self.frames) if not frame.library), None)


@dataclass(frozen=True, slots=True)
class Paste:
    """A parsed paste. `errors` stand in the order of importance: the root first."""

    lines: tuple[str, ...]
    errors: tuple[Found, ...]
    lang: str
    foreign: tuple[str, ...] = ()
    torch: str | None = None

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def root(self) -> Found | None:
        return self.errors[0] if self.errors and self.errors[0].role != "advice" else None

    @property
    def distilled(self) -> str:
        """What the paste says in a few lines: the leading error, its message, the user's line; or the words."""
        root = self.root
        if root is None:
            return self.text.strip()[:2000]
        parts = [f"{root.name}: {root.message}" if root.exception else root.message]
        if root.user_frame and root.user_frame.code:
            parts.append(root.user_frame.code)
        words = self.words
        return "\n".join([*parts, words] if words else parts)[:2000]

    @property
    def words(self) -> str:
        """What the user wrote in words around the errors ("" for a bare paste)."""
        inside = {at for error in self.errors for at in range(error.start, error.end)}
        kept = [line for at, line in enumerate(self.lines) if at not in inside and _is_prose(line)]
        return " ".join(kept)[:1200]


def parse(text: str) -> Paste:
    """Parse any text. Never raises; an empty text gives a Paste without errors."""
    pairs = lines_of(text)
    lines = [line for line, _ in pairs]
    ranks = [rank for _, rank in pairs]
    errors: list[Found] = []
    used: set[int] = set()
    if any(rank is not None for rank in ranks):
        for rank in dict.fromkeys(ranks):
            at = [number for number, value in enumerate(ranks) if value == rank]
            errors += [_moved(found, at, rank) for found in _scan([lines[number] for number in at])]
    else:
        errors = _scan(lines)
    for found in errors:
        used.update(range(found.start, found.end))
    release = TORCH_RELEASE.search(text[:20000]) or TORCH_RELEASE.search(text[-5000:])
    return Paste(
        tuple(lines), tuple(_by_importance(errors)), language_of("\n".join(lines)), foreign_hints("\n".join(lines)),
        release[1] if release else None,
    )  # fmt: skip


def _moved(found: Found, at: list[int], rank: int | None) -> Found:
    return replace(found, start=at[found.start], end=at[found.end - 1] + 1, rank=rank)


def _scan(lines: list[str]) -> list[Found]:
    """Every error in these lines, in the order of the text, roles given."""
    found: list[Found] = []
    frames: list[Frame] = []
    start: int | None = None
    chained_from: int | None = None
    at = 0
    while at < len(lines):
        line = lines[at]
        header = HEADER.match(line)
        notebook = NOTEBOOK.match(line)
        if header or notebook:
            frames, start = [], at
            at += 1
            continue
        frame = FRAME.match(line) or (NOTEBOOK_FRAME.match(line) if start is not None else None)
        if frame:
            if start is None:
                frames, start = [], at
            groups = frame.groupdict()
            code = lines[at + 1].strip() if at + 1 < len(lines) and not FRAME.match(lines[at + 1]) and not EXCEPTION.match(lines[at + 1]) else ""
            frames.append(Frame(groups["file"], int(groups.get("line") or 0), (groups.get("function") or "").strip(), code))
            at += 1 + bool(code)
            continue
        arrow = ARROW.match(line) if start is not None else None
        if arrow and frames:
            frames[-1] = replace(frames[-1], line=int(arrow[1]), code=arrow[2].strip())
        if CHAIN.search(line):
            chained_from = len(found) - 1 if found else None
        exception = EXCEPTION.match(line)
        if ADVICE.search(line) and not exception:
            found.append(Found("advice", "", line.strip(), at, at + 1))
            at += 1
            continue
        warning = WARNING.match(line)
        if warning:
            message, end = _warning(lines, at, warning["message"])
            found.append(Found("warning", warning["name"], message, at, end, (Frame(warning["file"], int(warning["line"]), ""),)))
            at = end
            continue
        if exception and (start is not None or exception[2] is not None or not line.startswith(" ")):
            message, end = _message(lines, at, exception[2] or "")
            role: Role = "warning" if exception[1].endswith("Warning") and start is None else _role(exception[1], message)
            if start is not None and start > 0 and IGNORED.match(lines[start - 1]):
                role = "cascade"
            if chained_from is not None and 0 <= chained_from < len(found) and found[chained_from].role == "root" and role == "root":
                role = _chained_role(found[chained_from], exception[1], message)
            found.append(Found(role, exception[1], message, at if start is None else start, end, tuple(frames)))
            frames, start, chained_from = [], None, None
            at = end
            continue
        plain_error = _plain_error(lines, at) if start is None else None
        if plain_error:
            found.append(plain_error)
            at = plain_error.end
            continue
        at += 1
    return found


def _plain_error(lines: list[str], at: int) -> Found | None:
    """An error that no traceback announces: an assert of device code, what(), a shell's word, a message in a sentence."""
    line = lines[at]
    if len(line) > 20000:
        line = line[:20000]
    if ASSERT.search(line):
        return Found("root", "", line.strip(), at, at + 1)
    cpp = CPP.match(line)
    if cpp:
        message, end = _message(lines, at, cpp[1])
        return Found("cascade" if CASCADES.search(message) else "root", "", message, at, end)
    warning = re.search(r"\b(\w+Warning): (.*)", line)
    if warning:
        message, end = _message(lines, at, warning[2])
        return Found("warning", warning[1], message, at, end)
    inline = INLINE.search(line)
    if inline:
        message, end = _message(lines, at, inline[2])
        return Found(_role(inline[1], message), inline[1], message, at, end)
    if SHELL.match(line):
        return Found("cascade" if CASCADES.search(line) or ABORTED.match(line) else "root", "", line.strip(), at, at + 1)
    return None


def _message(lines: list[str], at: int, first: str) -> tuple[str, int]:
    """A message and the line after its end: it goes on over following lines until a blank one or another block."""
    parts = [first.rstrip()]
    end = at + 1
    while end < len(lines) and end - at < 40 and not STOP.search(lines[end]) and not EXCEPTION.match(lines[end]):
        if ADVICE.search(lines[end]) or SHELL.match(lines[end][:2000]):
            break
        parts.append(lines[end].strip())
        end += 1
    return "\n".join(parts).strip(), end


def _warning(lines: list[str], at: int, first: str) -> tuple[str, int]:
    """A warning's message and the line after its end. Python shows the source line below, indented by two: the message
    goes on to there, else it is one line (what follows is the program's own output).
    """
    _, end = _message(lines, at, first)
    for number in range(at + 1, min(end + 1, len(lines))):
        if SOURCE.match(lines[number]) and not EXCEPTION.match(lines[number]):
            return "\n".join([first.rstrip(), *(line.strip() for line in lines[at + 1 : number])]).strip(), number + 1
    return first.strip(), at + 1


def _role(exception: str, message: str) -> Role:
    if WRAPPERS.search(exception) or WRAPPED.match(message):
        return "wrapper"
    if CASCADES.search(f"{exception}: {message}"):
        return "cascade"
    return "root"


def _chained_role(first: Found, exception: str, message: str) -> Role:
    """The later of two chained exceptions: the earlier one is the cause unless it is a look-up that was handled."""
    if first.name in ("KeyError", "AttributeError", "StopIteration", "IndexError", "ImportError", "ModuleNotFoundError", "Empty", "TypeError"):
        return "root"
    return "cascade"


ORDER = {"root": 0, "wrapper": 1, "cascade": 2, "warning": 3, "advice": 4}


def _by_importance(errors: list[Found]) -> list[Found]:
    """The leading error first. Of several roots: a device assert before what it caused; then, in a log of one program,
    the last traceback; across ranks, the first rank to fail. A wrapper leads only where nothing else is there.
    """
    ranked = any(error.rank is not None for error in errors)

    def key(item: tuple[int, Found]) -> tuple[int, int, int, int]:
        at, error = item
        order = ORDER[error.role]
        is_assert = 0 if not error.exception and ASSERT.search(error.message) else 1
        has_traceback = 0 if error.frames or error.exception else 1
        return (order, is_assert, has_traceback, at if ranked else -at)

    return [error for _, error in sorted(enumerate(errors), key=key)]


def _is_prose(line: str) -> bool:
    """Whether a line reads like the user's own sentence rather than code, a log or a path."""
    text = line.strip()
    if len(text) > 2000 or NOT_PROSE.search(text):
        return False
    if len(re.findall(r"[\u3400-\u9fff]", text)) >= 4:
        return True
    words = re.findall(r"(?<![\w./\\-])[A-Za-z']+(?![\w/\\=(-])", text)
    return len(words) >= 4 and sum(map(len, words)) >= 0.55 * len(text.replace(" ", ""))
