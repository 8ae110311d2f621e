"""An exception object as a page: its place, its operands, the answer."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from types import TracebackType
from typing import TYPE_CHECKING, Any

from assistant.answers.answer import Answer, Section
from assistant.runtime.json_types import JSONObject

if TYPE_CHECKING:
    from assistant.api import Assistant
    from assistant.run.here import Here


@dataclass(frozen=True, slots=True)
class Explained:
    """What is said of an exception. Notebooks show it drawn, IPython the first screen; `str` is Markdown."""

    answer: Answer
    here: Here | None

    @property
    def sections(self) -> tuple[Section, ...]:
        from assistant.answers.sections import answer_sections
        from assistant.run.here import here_section

        title, *rest = answer_sections(self.answer, brief=True)
        if self.answer.match is None:
            rest = []
        here = (here_section(self.here, self.answer.lang),) if self.here is not None else ()
        return (title, *here, *rest)

    @property
    def screen(self) -> str:
        """The first screen, as `torchwhy run` shows it."""
        from assistant.answers.screen_lines import screen_lines
        from assistant.run.here import under_lines

        under = under_lines(self.here, self.answer) if self.here is not None else ()
        return "\n".join(line.text for line in screen_lines(self.answer, under=under))

    @property
    def markdown(self) -> str:
        from assistant.answers.markdown import page

        return page(self.sections)

    def as_json(self) -> JSONObject:
        """As `torchwhy run --json` writes it."""
        from assistant.answers.as_json import as_json

        return {**as_json(self.answer), "here": self.here.as_json() if self.here else None}

    def __str__(self) -> str:
        return self.markdown

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows on a terminal."""
        printer.text(self.screen)

    def _repr_markdown_(self) -> str:
        return self.markdown

    def _repr_html_(self) -> str | None:
        """The page drawn by the notebook's own Markdown would do; this is for those that show HTML alone."""
        from html import escape

        parts = []
        for section in self.sections:
            parts.append(f"<h4>{escape(section.title)}</h4>" if section.title else "")
            parts.append(f"<pre style='white-space: pre-wrap'>{escape(section.body)}</pre>")
        return "".join(parts)


@lru_cache(maxsize=1)
def shared_assistant() -> Assistant:
    """One Assistant for all exceptions of a process."""
    from assistant.api import Assistant

    return Assistant()


def explain(
    error: BaseException,
    *,
    lang: str | None = None,
    name_of: Callable[[str], str] = str,
    trace: TracebackType | None = None,
) -> Explained:
    """Answer an exception, with what its line's names stood for. No reference to its frames is kept.

    `name_of`: what the file of a frame is called where the user sees it. `trace`: its traceback from the
    user's program on, where a runner's frames stand before it.
    """
    from assistant.run.child import crash_context
    from assistant.run.crashes import find_here
    from assistant.run.records import checked

    trace = trace or error.__traceback__
    record = checked(crash_context.context(error, trace))
    text = "".join(traceback.format_exception(type(error), error, trace))
    answer = shared_assistant().ask(text, lang=lang)
    here = find_here([record] if record else [], answer.paste)
    return Explained(answer, replace(here, file=name_of(here.file)) if here else None)


def in_run() -> bool:
    """Whether `torchwhy run` answers for this process."""
    return bool(os.environ.get("TORCHWHY_RUN_FOLDER"))
