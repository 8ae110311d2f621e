"""Whether a further look would change an answer: at this machine, or at the user's file by the entry's rule.

Both take a fraction of a second, which an answer that they cannot change should not cost.
"""

from __future__ import annotations

import os

from .answer import Answer

MAX_LOOKED_FRAMES = 20  # of a traceback, whose files may lie here


def bears_on_machine(answer: Answer) -> bool:
    """Whether this machine's facts would change what is said, and the text is of this machine: a file that
    its frames name lies here. They take 0.1 s and no memory of the GPU.
    """
    from torchwhy.knowledge.conditions import comparisons
    from torchwhy.knowledge.vocabulary import is_fact
    from torchwhy.paste.place import is_far

    from .screen import degree_of

    match, root = answer.match, answer.root
    if match is None or root is None or answer.facts is not None:
        return False
    whens = [change.when for change in match.changes if change.when]
    bears = any(is_fact(name) for when in whens for each in comparisons(when) for name in each.names)
    unsure = degree_of(answer) == "likely" and any(item.pitfall.facts for item in answer.candidates[:2])
    files = [frame.file for error in answer.paste.errors[:4] for frame in error.frames]
    return (bears or unsure) and any(
        os.path.isfile(file) for file in files[-MAX_LOOKED_FRAMES:] if not is_far(file)
    )


def file_to_check(answer: Answer, *, crashed: bool) -> str | None:
    """The file of the line that failed, where what `check` finds in it would decide: a mistake often stands
    far from where it is raised. It takes some 0.2 s, so it is worth that after a crash that was watched
    (`crashed`), else only where the entry has a rule, no line to change is known yet, and the file lies here
    and still reads as in the text.
    """
    from torchwhy.paste.place import is_far

    match, here = answer.match, answer.here
    if here is None or not here.file.endswith(".py") or is_far(here.file) or not os.path.isfile(here.file):
        return None
    if crashed:
        return here.file
    if match is None or (answer.change is not None and answer.change.before):
        return None
    if not os.path.isfile(os.path.join(match.pitfall.folder, "lint.py")):
        return None
    from torchwhy.source.own_file import read_source

    return here.file if read_source(here) is not None else None
