"""What `check` finds in the file of the user's line that failed: where a mistake stands, often far from where
it was raised.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from torchwhy.errors import AssistantError

if TYPE_CHECKING:
    from torchwhy.answers.answer import Answer
    from torchwhy.api import Assistant


def with_own_code(assistant: Assistant, answer: Answer) -> Answer:
    """The answer with what is found there; as it was where the file is not here."""
    from torchwhy.paste.place import is_far

    here = answer.here
    if here is None or not here.file.endswith(".py") or is_far(here.file) or not os.path.isfile(here.file):
        return answer
    with suppress(AssistantError):
        return assistant.with_code(answer, [here.file])._replace(notes=answer.notes)
    return answer


def worth_reading(answer: Answer) -> bool:
    """Whether that would decide: the entry has a rule for the user's code, no line to change is known yet,
    and the file lies here and still reads as in the text. It takes some 0.2 s.
    """
    from torchwhy.answers.own_source import read_source

    match, here = answer.match, answer.here
    if match is None or here is None or (answer.change is not None and answer.change.before):
        return False
    return os.path.isfile(os.path.join(match.pitfall.folder, "lint.py")) and read_source(here) is not None
