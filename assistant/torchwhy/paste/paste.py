"""What a parsed paste holds: errors with roles, their frames, the user's own words."""

from functools import cached_property
from typing import Literal, NamedTuple

from torchwhy.text.language import HAN
from torchwhy.text.lazy_re import lazy_compile

from .line_patterns import CALL, NOT_PROSE
from .owner import owner_of

MAX_DISTILLED_CHARS = 2000
MAX_WORDS_CHARS = 1200  # of what the user wrote around an error
MAX_PROSE_LINE_CHARS = 2000
MIN_PROSE_HAN, MIN_PROSE_WORDS, MIN_PROSE_LETTER_SHARE = 4, 4, 0.55
# A word that is no part of a path, an option or a call.
WORD = lazy_compile(r"(?<![\w./\\-])[A-Za-z']+(?![\w/\\=(-])")

Role = Literal["root", "wrapper", "cascade", "warning", "advice"]


class Frame(NamedTuple):
    """One frame of a traceback: file, line number (0 if unknown), function, the source line shown."""

    file: str
    line: int
    function: str
    code: str = ""

    @property
    def owner(self) -> str:
        """Whose file it is; "" the user's own."""
        return owner_of(self.file)


class Found(NamedTuple):
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
    def told_rank(self) -> int | None:
        """The rank; None where the number below 0 is a process id."""
        return self.rank if self.rank is not None and self.rank >= 0 else None

    @property
    def user_frame(self) -> Frame | None:
        """The innermost frame of the user's own code."""
        return next((frame for frame in reversed(self.frames) if not frame.owner), None)


class _Parsed(NamedTuple):
    lines: tuple[str, ...]
    errors: tuple[Found, ...]
    lang: str
    foreign: tuple[str, ...] = ()
    torch: str | None = None


class Paste(_Parsed):
    """A parsed paste. `errors` stand in the order of importance: the root first.

    `torch`: the release that the text names. Derived texts are made once, when they are first asked for.
    """

    @cached_property
    def text(self) -> str:
        """All lines, cleaned."""
        return "\n".join(self.lines)

    @property
    def root(self) -> Found | None:
        """The error that leads; None where the text holds none but advice."""
        return self.errors[0] if self.errors and self.errors[0].role != "advice" else None

    @cached_property
    def distilled(self) -> str:
        """What the paste says in a few lines: the leading error, its message, the user's line; or the
        words.
        """
        root = self.root
        if root is None:
            return self.text.strip()[:MAX_DISTILLED_CHARS]
        parts = [f"{root.name}: {root.message}" if root.exception else root.message]
        frame = root.user_frame
        if frame and frame.code:
            parts.append(frame.code)
        words = self.words
        return "\n".join([*parts, words] if words else parts)[:MAX_DISTILLED_CHARS]

    @cached_property
    def words(self) -> str:
        """What the user wrote in words around the errors ("" for a bare paste)."""
        inside: set[int] = set()
        for error in self.errors:
            inside.update(range(error.start, error.end))
        kept: list[str] = []
        size = 0
        for number, line in enumerate(self.lines):
            if number not in inside and is_prose(line):
                kept.append(line)
                size += len(line) + 1
                if size > MAX_WORDS_CHARS:
                    break
        return " ".join(kept)[:MAX_WORDS_CHARS]


def is_prose(line: str) -> bool:
    """Whether a line reads like the user's own sentence rather than code, a log or a path."""
    text = line.strip()
    if len(text) > MAX_PROSE_LINE_CHARS or NOT_PROSE.search(text):
        return False
    if text.endswith(")") and CALL.search(text):
        return False
    if len(HAN.findall(text)) >= MIN_PROSE_HAN:
        return True
    words = WORD.findall(text)
    letters = sum(map(len, words))
    return len(words) >= MIN_PROSE_WORDS and letters >= MIN_PROSE_LETTER_SHARE * len(text.replace(" ", ""))
