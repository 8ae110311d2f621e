"""Reading a paste: which errors it holds, in which role, and which one leads.

A paste is a Python traceback, a torchrun log, a notebook dump, a bare message, or a question in words.
`parse` never fails: where it finds no error, the whole text is the question. Roles: `root` (the cause that
the text shows), `wrapper` (an exception that only carries another), `cascade` (what broke because something
else had), `warning`, `advice`.

Time is linear in the length of the text: each line is looked at a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Iterable

from torchwhy.text.language import language_of

from . import line_patterns as patterns
from .foreign import foreign_hints
from .lines import lines_of
from .paste import Found, Frame, Paste, Role

MAX_MESSAGE_LINES = 40
MAX_MATCHED_CHARS = 20_000  # of a line, what the patterns look at
MAX_SHELL_CHARS = 500  # a shell's word is short; its pattern looks at no more of a line
MAX_NUMBER_DIGITS = 9  # of a line number; a longer one is no line number
RELEASE_HEAD_CHARS, RELEASE_TAIL_CHARS = 20_000, 5_000  # where a torch release is looked for
# Handled look-ups: of two chained exceptions the later one is the cause where the first is one of these.
HANDLED_LOOKUPS = frozenset(
    "KeyError AttributeError StopIteration IndexError ImportError ModuleNotFoundError Empty TypeError".split()  # noqa: SIM905
)
ROLE_ORDER = {"root": 0, "wrapper": 1, "cascade": 2, "warning": 3, "advice": 4}


def parse(text: str) -> Paste:
    """Parse any text. Never raises; an empty text gives a Paste without errors."""
    pairs = lines_of(text)
    lines = tuple(line for line, _ in pairs)
    if "torchwhy " in text:
        from .own_screen import without_own_screens

        lines = tuple(without_own_screens(list(lines)))
    by_rank: dict[int | None, list[int]] = {}
    for number, (_, rank) in enumerate(pairs):
        by_rank.setdefault(rank, []).append(number)
    if set(by_rank) <= {None}:
        errors = _Scanner(list(lines)).scan()
    else:
        errors = [
            _moved(error, numbers, rank)
            for rank, numbers in by_rank.items()
            for error in _Scanner([lines[number] for number in numbers]).scan()
        ]
    plain_text = "\n".join(lines)
    release = patterns.TORCH_RELEASE.search(text[:RELEASE_HEAD_CHARS]) or patterns.TORCH_RELEASE.search(
        text[-RELEASE_TAIL_CHARS:]
    )
    return Paste(
        lines,
        tuple(_by_importance(errors)),
        language_of(plain_text),
        foreign_hints(plain_text),
        release[1] if release else None,
    )


def _moved(error: Found, numbers: list[int], rank: int | None) -> Found:
    """An error found among one rank's lines, with its place among all lines."""
    return error._replace(start=numbers[error.start], end=numbers[error.end - 1] + 1, rank=rank)


class _Scanner:
    """One pass over lines of one program. `frames` and `start` belong to the traceback that is open, if one
    is.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.errors: list[Found] = []
        self.names: set[str] = set()  # of their exceptions
        self.frames: list[Frame] = []
        self.start: int | None = None
        self.chained: Found | None = None  # the error above "During handling of ..."

    def scan(self) -> list[Found]:
        """Every error in these lines, in the order of the text, roles given."""
        number = 0
        while number < len(self.lines):
            line = self.lines[number][:MAX_MATCHED_CHARS]
            if not line:
                number += 1
                continue
            number = self._traceback_line(number, line) or self._error_line(number, line) or number + 1
        self._give_to_title()
        return self.errors

    def _give_to_title(self) -> None:
        """The frames of a traceback that stops before its last line go to the error that is told above it."""
        told = [at for at, error in enumerate(self.errors) if error.exception and error.role == "root"]
        if self.start is not None and told and not self.errors[told[-1]].frames:
            self.errors[told[-1]] = self.errors[told[-1]]._replace(frames=tuple(self.frames))

    def _traceback_line(self, number: int, line: str) -> int | None:
        """Read a header or a frame; the number of the next line to look at, or None where it is neither."""
        if patterns.HEADER.search(line) or patterns.NOTEBOOK.match(line):
            self.frames, self.start = [], number
            return number + 1
        if self.errors and self.start is None and patterns.COMPILED.match(line):
            return self._compiled_frames(number + 1)
        frame = self._frame(line)
        if frame is not None:
            if self.start is None:
                self.frames, self.start = [], number
            code = self._code_below(number)
            self.frames.append(frame._replace(code=code))
            return number + 1 + bool(code)
        arrow = patterns.ARROW.match(line) if self.start is not None else None
        if arrow and self.frames:
            self.frames[-1] = self.frames[-1]._replace(line=_number(arrow[1]), code=arrow[2].strip())
        return None

    def _compiled_frames(self, number: int) -> int:
        """The lines that torch.compile was tracing, which it names below its message: the innermost frames of
        that error. The number of the line after them.
        """
        frames: list[Frame] = []
        while number < len(self.lines):
            line = self.lines[number][:MAX_MATCHED_CHARS]
            frame = self._frame(line)
            if frame is not None:
                code = self._code_below(number)
                frames.append(frame._replace(code=code))
                number += bool(code)
            elif not patterns.CARETS.match(line):
                break
            number += 1
        told = [at for at, error in enumerate(self.errors) if error.exception]
        if frames and told:
            error = self.errors[told[-1]]
            self.errors[told[-1]] = error._replace(frames=(*error.frames, *frames), end=number)
        return number

    def _frame(self, line: str) -> Frame | None:
        match = patterns.FRAME.match(line)
        if match:
            return Frame(match["file"], _number(match["line"]), (match["function"] or "").strip())
        return notebook_frame(line) if self.start is not None or patterns.OPENING.match(line) else None

    def _code_below(self, number: int) -> str:
        """The source line below a frame; "" where another frame or the exception follows at once."""
        if number + 1 >= len(self.lines):
            return ""
        line = self.lines[number + 1]
        head = line[:MAX_MATCHED_CHARS]
        above = (patterns.FRAME, patterns.EXCEPTION, patterns.ARROW)
        return "" if any(each.match(head) for each in above) else line.strip()

    def _error_line(self, number: int, line: str) -> int | None:
        """Read an exception, a warning, advice or an error without a traceback; the number of the next
        line.
        """
        if patterns.CHAIN.search(line):
            self.chained = self.errors[-1] if self.errors else None
        exception = patterns.EXCEPTION.match(line) or (patterns.RAISED.match(line) if self.frames else None)
        if patterns.ADVICE.search(line) and not exception:
            return self._add(Found("advice", "", line.strip(), number, number + 1))
        warning = patterns.WARNING.match(line)
        if warning:
            message, end = self._warning_message(number, warning["message"])
            frame = Frame(warning["file"], _number(warning["line"]), "")
            return self._add(Found("warning", warning["name"], message, number, end, (frame,)))
        in_traceback = self.start is not None
        if exception and (in_traceback or exception[2] is not None or not line.startswith(" ")):
            return self._exception(number, exception[1], exception[2] or "")
        if not in_traceback:
            error = self._bare_error(number, line)
            return self._add(error) if error else None
        return None

    def _add(self, error: Found) -> int:
        self.errors.append(error)
        self.names.add(error.exception)
        return error.end

    def _exception(self, number: int, name: str, first: str) -> int:
        """An exception's own line: it closes the traceback that is open."""
        message, end = self._message(number, first)
        role: Role = _role(name, message)
        if name.endswith("Warning") and self.start is None:
            role = "warning"
        if self.start and patterns.IGNORED.match(self.lines[self.start - 1]):
            role = "cascade"
        if role == "root" and self.chained is not None and self.chained.role == "root":
            role = "root" if self.chained.name in HANDLED_LOOKUPS else "cascade"
        start = number if self.start is None else self.start
        self._add(Found(role, name, message, start, end, tuple(self.frames)))
        self.frames, self.start, self.chained = [], None, None
        return end

    def _bare_error(self, number: int, line: str) -> Found | None:
        """An error that no traceback announces: an assert of device code, what(), a shell's word, a message
        in a sentence.
        """
        if is_device_assert(line):
            return Found("root", "", line.strip(), number, number + 1)
        if patterns.LOADER.match(line):
            message, end = self._message(number, line.strip())
            return Found("root", "", message, number, end)
        cpp = patterns.CPP.match(line)
        if cpp:
            message, end = self._message(number, cpp[1])
            return Found("cascade" if patterns.CASCADES.search(message) else "root", "", message, number, end)
        summary = patterns.SUMMARY.match(line)
        if summary:
            name, message = summary[1], (summary[2] or "").strip()
            if name in self.names:
                return None  # told in full above
            return Found(_role(name, message), name, message, number, number + 1)
        warning = patterns.NAMED_WARNING.search(line)
        if warning:
            message, end = self._message(number, warning[2])
            return Found("warning", warning[1], message, number, end)
        inline = patterns.INLINE.search(line)
        if inline:
            message, end = self._message(number, inline[2])
            return Found(_role(inline[1], message), inline[1], message, number, end)
        if patterns.SHELL.match(line[:MAX_SHELL_CHARS]):
            role: Role = (
                "cascade" if patterns.CASCADES.search(line) or patterns.ABORTED.match(line) else "root"
            )
            return Found(role, "", line.strip(), number, number + 1)
        return None

    def _message(self, number: int, first: str) -> tuple[str, int]:
        """A message and the line after its end: it goes on over following lines until a blank one or another
        block. Behind a name with a colon alone it may begin after a blank line, as TorchScript's do.
        """
        parts = [first.rstrip()]
        end = number + 1
        below = self.lines[end : end + 1]
        if not parts[0] and below and not below[0].strip() and self.lines[number].rstrip().endswith(":"):
            end += 1
        for line in self.lines[end : number + MAX_MESSAGE_LINES]:
            head = line[:MAX_MATCHED_CHARS]
            if patterns.STOP.search(head) or patterns.EXCEPTION.match(head) or patterns.ADVICE.search(head):
                break
            if patterns.SHELL.match(line[:MAX_SHELL_CHARS]):
                break
            parts.append(line.strip())
            end += 1
        return "\n".join(parts).strip(), end

    def _warning_message(self, number: int, first: str) -> tuple[str, int]:
        """A warning's message and the line after its end.

        Python shows the source line below, indented by two: the message goes on to there, else it is one line
        (what follows is the program's own output).
        """
        _, end = self._message(number, first)
        for below in range(number + 1, min(end + 1, len(self.lines))):
            line = self.lines[below][:MAX_MATCHED_CHARS]
            if patterns.SOURCE.match(line) and not patterns.EXCEPTION.match(line):
                parts = [first.rstrip(), *(line.strip() for line in self.lines[number + 1 : below])]
                return "\n".join(parts).strip(), below + 1
        return first.strip(), number + 1


def notebook_frame(line: str) -> Frame | None:
    """A frame as IPython prints it, or pytest: `Cell In[5], line 3, in step(x)`, `Cell In[5], line 3`,
    `File ~/model.py:12, in Net.forward(self, x)`, `test_model.py:12: in test_step`.
    """
    if not patterns.NOTEBOOK_PLACE.match(line):
        return None
    place, separator, function = line.lstrip(" ").removeprefix("File ").partition(" in ")
    place = place.removesuffix(",")
    number = patterns.PLACE_NUMBER.search(place)
    if not separator and not number:
        return None
    if number:
        place = place[: number.start()]
    if " " in place and not place.startswith(("Cell In", "Input In", "<ipython-input")):
        return None
    return Frame(place, _number(number[1]) if number else 0, function.strip())


def is_device_assert(text: str) -> bool:
    """Whether a line is an assert of device code: `Loss.cu:94: ...: Assertion `t >= 0` failed`, or the end of
    one, from its block and thread on.
    """
    place = patterns.PLACE.search(text)
    start = place.end() if place else text.find("thread: [")
    assertion = text.find("Assertion ", start) if start >= 0 else -1
    return assertion >= 0 and text.find(" failed", assertion + len("Assertion ") + 1) >= 0


def is_cause_of_crash(text: str) -> bool:
    """Whether a message without an exception's name is what the crash, or the exception, below it came
    from.
    """
    return is_device_assert(text) or patterns.LOADER.match(text) is not None


def _number(digits: str) -> int:
    """A line number; 0 for one that is too long to be one."""
    return int(digits) if len(digits) <= MAX_NUMBER_DIGITS else 0


def _role(exception: str, message: str) -> Role:
    if patterns.WRAPPERS.search(exception) or patterns.WRAPPED.match(message):
        return "wrapper"
    if patterns.CASCADES.search(f"{exception}: {message}"):
        return "cascade"
    return "root"


def _by_importance(errors: Iterable[Found]) -> list[Found]:
    """The leading error first.

    Of several roots: a device assert, or a loader's complaint, before the crash that it caused; then, in a
    log of one program, the last traceback; across ranks, the first rank to fail. A wrapper leads only where
    nothing else is there.
    """
    errors = list(errors)
    several_ranks = any(error.rank is not None for error in errors)

    def key(item: tuple[int, Found]) -> tuple[int, int, int, int]:
        number, error = item
        is_cause = 0 if not error.exception and is_cause_of_crash(error.message[:MAX_MATCHED_CHARS]) else 1
        has_traceback = 0 if error.frames or error.exception else 1
        return ROLE_ORDER[error.role], is_cause, has_traceback, number if several_ranks else -number

    return [error for _, error in sorted(enumerate(errors), key=key)]
