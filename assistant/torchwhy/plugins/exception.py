"""An exception object as a page: its place, its operands, the answer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TextIO

from torchwhy.answers import render
from torchwhy.answers.answer import Answer
from torchwhy.paste.raised import file_name
from torchwhy.runtime.json_types import JSONObject

if TYPE_CHECKING:
    from torchwhy.api import Assistant
    from torchwhy.run.frame_record import FrameRecord


@dataclass(frozen=True, slots=True, repr=False)
class Explained:
    """What is said of an exception: shown and printed as the first screen, with the whole page folded below
    it in a notebook.
    """

    answer: Answer
    frame: FrameRecord | None

    @property
    def under(self) -> Sequence[tuple[str, str]]:
        """What the names of the user's line stood for, as the first screen has it below that line."""
        from torchwhy.run.frame_record import under_lines

        return under_lines(self.frame, self.answer) if self.frame is not None else ()

    @property
    def markdown(self) -> str:
        """The whole page."""
        from torchwhy.answers.markdown import page
        from torchwhy.answers.sections import answer_sections
        from torchwhy.run.frame_record import frame_section

        title, *rest = answer_sections(self.answer, brief=True)
        if self.answer.match is None:
            rest = []
        frame = (frame_section(self.frame, self.answer.lang),) if self.frame is not None else ()
        return page((title, *frame, *rest))

    def as_json(self) -> JSONObject:
        """As `torchwhy run --json` writes it."""
        from torchwhy.answers.as_json import as_json

        return {**as_json(self.answer), "here": self.frame.as_json() if self.frame else None}

    def print(self, stream: TextIO) -> None:
        """Write the first screen, as `torchwhy run` does."""
        from torchwhy.answers.screen_lines import screen_lines
        from torchwhy.answers.terminal import print_screen, width

        print_screen(screen_lines(self.answer, width(stream), self.under), stream)

    def __repr__(self) -> str:
        return repr(self.answer)

    def __str__(self) -> str:
        return render.text(self.answer, self.under)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows on a terminal."""
        printer.text(str(self))

    def _repr_markdown_(self) -> str:
        return render.markdown(self.answer, self.under)

    def _repr_html_(self) -> str:
        return render.html(self.answer, self.under)


@lru_cache(maxsize=1)
def shared_assistant() -> Assistant:
    """One Assistant for all exceptions of a process."""
    from torchwhy.api import Assistant

    return Assistant()


def explain(error: BaseException, *, lang: str | None = None) -> Explained:
    """Answer an exception, with what its line's names stood for. No reference to its frames is kept."""
    from torchwhy.run.child import crash_context
    from torchwhy.run.crashes import find_frame, shown

    answer = shared_assistant().ask(error, lang=lang)
    record = shown(crash_context.context(error))
    for told in record["errors"]:
        for frame in filter(None, told["frames"]):
            frame["file"] = file_name(frame["file"])
    return Explained(answer, find_frame([record], answer.paste))


def in_run() -> bool:
    """Whether `torchwhy run` answers for this process."""
    return bool(os.environ.get("TORCHWHY_RUN_FOLDER"))
