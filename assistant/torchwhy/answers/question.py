"""A text to answer, read once: what was pasted, and the facts of a report in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from torchwhy.paste.parse import parse
from torchwhy.paste.paste import Paste

if TYPE_CHECKING:
    from torchwhy.knowledge.facts import Facts

REPORT_MARK = "PyTorch version:"  # stands in every report of torch.utils.collect_env


class Question(NamedTuple):
    """`paste`: the text without a report of torch.utils.collect_env; `reported`: the facts of that report."""

    paste: Paste
    reported: Facts | None = None


def read_question(text: str) -> Question:
    """Take the report out of a text and parse the rest, once. The paste names the report's torch release."""
    if REPORT_MARK not in text:
        return Question(parse(text))
    from torchwhy.answers import collect_env

    reported = collect_env.facts_in(text)
    if not reported:
        return Question(parse(text))
    paste = parse(collect_env.strip_reports(text))
    release = reported.get("torch.version").value
    return Question(paste._replace(torch=str(release)) if release else paste, reported)
