"""One line of a program, cut out of it as a traceback shows it."""

from __future__ import annotations

import ast

from torchwhy.paste.place import UserFrame
from torchwhy.text.python_source import parse_python

from .nodes import inside, last_name, words

MAX_LINE_CHARS = 2_000  # of a line that is parsed: Python's parser takes the square of the time for some
# Calls that are not what failed when torch raised.
BUILTINS = words("print len float int str list tuple range enumerate tqdm super open")


def parsed_line(text: str) -> ast.Module | None:
    """The tree of a line; None where it does not stand alone, or nobody wrote it."""
    if len(text) > MAX_LINE_CHARS:
        return None
    for attempt in (text, f"{text} pass"):
        try:
            return parse_python(attempt)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def failing_call(here: UserFrame) -> ast.Call | None:
    """The call of the line that failed: what the carets mark, else the only one there."""
    for text in (here.expression, here.code):
        calls = [each for each in inside(parsed_line(text), ast.Call) if last_name(each.func) not in BUILTINS]
        if calls and text == here.expression:
            return calls[0]  # the outermost one is what failed
        if len(calls) == 1:
            return calls[0]
    return None


def only_call(text: str, name: str) -> ast.Call | None:
    """The only call of one of these names (`gather|take`) in a line; None where there is none, or several."""
    names = name.split("|")
    calls = [each for each in inside(parsed_line(text), ast.Call) if last_name(each.func) in names]
    return calls[0] if len(calls) == 1 else None


def called_objects(here: UserFrame) -> list[ast.expr]:
    """What the failing line calls, without an index (`heads` of `heads[0](x)`): the failing call's first."""
    call = failing_call(here)
    found: list[ast.expr] = []
    for each in [call] if call is not None else inside(parsed_line(here.code), ast.Call):
        target = each.func
        while isinstance(target, ast.Subscript):
            target = target.value
        found += [target] if isinstance(target, ast.Attribute | ast.Name) else []
    return found
