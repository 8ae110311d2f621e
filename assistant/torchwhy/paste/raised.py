"""An exception object as the text that Python prints of it, seen from the user's program: without the frames
of what only runs it, and with a notebook's cells by their numbers.
"""

from __future__ import annotations

import ast
import sys
import traceback
from traceback import FrameSummary
from typing import Any

from .owner import owner_of

# What runs a program, a cell or a test: its frames would hide that an error is Python's own, or take the
# blame for what it ran.
RUNNERS = frozenset(["IPython", "ipykernel", "_pytest", "pluggy", "pytest", "xdist"])
TIMED = "<timed exec>"  # the file of what stands below `%%time`


def raised_text(error: BaseException) -> str:
    """The exception's traceback, with those that it came from. No reference to its frames is kept."""
    told = traceback.TracebackException(type(error), error, error.__traceback__)
    todo: list[traceback.TracebackException | None] = [told]
    while todo:
        each = todo.pop()
        if each is not None:
            _rename(each)
            todo += [each.__cause__, each.__context__, *(getattr(each, "exceptions", None) or ())]
    return "".join(told.format())


def _rename(told: traceback.TracebackException) -> None:
    stack = [frame for frame in told.stack if owner_of(frame.filename) not in RUNNERS]
    told.stack[:] = [_in_cell(frame, before) for frame, before in zip(stack, [None, *stack], strict=False)]
    for frame in told.stack:
        frame.filename = file_name(frame.filename)
    if isinstance(getattr(told, "filename", None), str):  # a SyntaxError's
        told.filename = file_name(told.filename)


def _in_cell(frame: FrameSummary, before: FrameSummary | None) -> FrameSummary:
    """A line below `%%time`, which IPython runs from a string, as the cell's own; any other as it is."""
    if before is None or frame.filename != TIMED:
        return frame
    try:
        call = ast.parse((before.line or "").strip(), mode="eval").body
        lines = ast.literal_eval(call.args[2] if isinstance(call, ast.Call) else call).splitlines()
        number = frame.lineno or 1
        code = lines[number - 1].strip()
    except (SyntaxError, ValueError, LookupError, AttributeError):
        return frame
    return FrameSummary(before.filename, number + 1, frame.name, lookup_line=False, line=code)


def file_name(file: str) -> str:
    """`Cell In[3]` for the file that stands for a cell of this kernel; any other file as it is."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if hasattr(ipython, "get_ipython") else None
    named_by: Any = getattr(getattr(shell, "compile", None), "format_code_name", None)
    named = named_by(file) if named_by is not None else None  # IPython before 8 has none
    return " ".join(named) if named else file
