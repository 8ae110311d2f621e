"""What the fix changes: the lines in which an entry's `fixed()` differs from its `broken()`.

The script is read, not run.
"""

from __future__ import annotations

import ast
import difflib
import itertools
import textwrap
from pathlib import Path

from torchwhy.knowledge.files import read_text
from torchwhy.text.plain import written_out

MAX_LINE_CHARS = 500
MAX_LINES = 10  # that are shown; what differs more is no lesson at a glance
# of two functions that are compared: the time can grow with the cube of their lines, and the square of one
MAX_COMPARED_LINES, MAX_COMPARED_CHARS = 60, 4000


def difference(script: str) -> str:
    """The lines of `broken()` with a minus and those of `fixed()` with a plus; "" where the script cannot be
    read.
    """
    try:
        text = read_text(Path(script))
        functions = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if not {"broken", "fixed"} <= functions.keys():
        return ""
    lines = _changed(text, functions["broken"], functions["fixed"])
    # a helper that only one of the two calls is part of the difference
    helpers = [
        [functions[name] for name in _names(functions[one]) - _names(functions[other]) if name in functions]
        for one, other in (("broken", "fixed"), ("fixed", "broken"))
    ]
    if len(helpers[0]) == len(helpers[1]) == 1:
        lines += _changed(text, helpers[0][0], helpers[1][0])
    elif any(helpers):
        for sign, nodes in zip("-+", helpers, strict=True):
            found = (f"{sign} {line}" for node in nodes for line in _body(text, node))
            lines += itertools.islice(found, MAX_LINES)
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], "  ..."]
    return "\n".join(written_out(line[:MAX_LINE_CHARS]) for line in lines)


def _changed(text: str, before: ast.FunctionDef, after: ast.FunctionDef) -> list[str]:
    """The lines of two functions that differ, without those that are equal; of long ones what only one of
    them holds.
    """
    old, new = _body(text, before), _body(text, after)
    if len(old) + len(new) > MAX_COMPARED_LINES or sum(map(len, old + new)) > MAX_COMPARED_CHARS:
        gone, come = set(old) - set(new), set(new) - set(old)
        lines = [f"- {line}" for line in old if line in gone] + [f"+ {line}" for line in new if line in come]
        return [line.rstrip() for line in lines]
    compared = difflib.ndiff(old, new)
    return [line.rstrip() for line in compared if line.startswith(("- ", "+ "))]


def _body(text: str, node: ast.FunctionDef) -> list[str]:
    lines = text.splitlines()[node.body[0].lineno - 1 : node.end_lineno]
    return textwrap.dedent("\n".join(lines)).splitlines()


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
