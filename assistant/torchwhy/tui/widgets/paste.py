"""The paste beside its answer, with the error and the user's line marked."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.widgets import TextArea

from torchwhy.answers.answer import Answer

from .literal import MAX_LINE_CHARS, cleaned

MIN_SHOWN_LINES = 4  # of a paste that stands beside its answer: a shorter one stands above it whole
MAX_NEEDLE_CHARS = 60  # of the message, by which its first line is found
MAX_LINES_BEFORE, MAX_LINES_AFTER = 2000, 500  # around the leading error


class PasteView(TextArea):
    """What was pasted, to read and to copy from; the lines of the leading error's message are marked, and the
    user's own line that led to it.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"paste--error", "paste--own"}

    def __init__(self) -> None:
        super().__init__(
            id="paste",
            read_only=True,
            soft_wrap=False,
            show_line_numbers=False,  # of a long log's lines only some are left
            highlight_cursor_line=False,
            tab_behavior="focus",
        )
        self.marked: dict[int, str] = {}

    def show(self, answer: Answer) -> bool:
        """Show the answer's paste, at its error; whether there is one that is worth it."""
        root, lines = answer.root, answer.paste.lines
        if root is None or len(lines) < MIN_SHOWN_LINES:
            return False
        first = max(0, root.end - MAX_LINES_BEFORE)
        kept = [cleaned(line, MAX_LINE_CHARS) for line in lines[first : root.end + MAX_LINES_AFTER]]
        marked = dict.fromkeys(_message_lines(answer), "paste--error")
        own = _own_line(answer)
        if own is not None:
            marked[own] = "paste--own"
        self.marked = {at - first: style for at, style in marked.items() if at >= first}
        self.text = "\n".join(kept)
        at = min(max(root.end - 1 - first, 0), len(kept) - 1)
        self.move_cursor((at, 0))
        self.call_after_refresh(self._to_error)
        return True

    def _to_error(self) -> None:
        """The error at the middle, as soon as the size is known."""
        row = self.cursor_location[0]
        self.scroll_to(0, max(0, row - self.size.height // 2), animate=False)

    def get_line(self, line_index: int) -> Text:
        line = super().get_line(line_index)
        style = self.marked.get(line_index)
        if style is not None:
            line.stylize(self.get_component_rich_style(style))
        return line


def _message_lines(answer: Answer) -> list[int]:
    """The lines of the leading error's message: those behind its frames."""
    root = answer.root
    assert root is not None
    first = root.message.split("\n")[0]
    begins = (f"{root.name}: {first}" if root.exception else first)[:MAX_NEEDLE_CHARS]
    end = min(root.end, len(answer.paste.lines))
    starts = [at for at in range(root.start, end) if begins in answer.paste.lines[at]]
    return list(range(starts[-1] if starts else end - 1, end))


def _own_line(answer: Answer) -> int | None:
    """The line of the paste that shows the user's own failing line, or names its place."""
    root, here = answer.root, answer.here
    if root is None or here is None or not here.line:
        return None
    lines = answer.paste.lines
    for at in range(min(root.end, len(lines)) - 1, root.start - 1, -1):
        if here.file in lines[at] and str(here.line) in lines[at]:
            follows = at + 1 < len(lines) and here.code and here.code in lines[at + 1]
            return at + 1 if follows else at
    return None
