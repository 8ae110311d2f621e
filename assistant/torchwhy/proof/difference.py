"""What the fix changes: the lines in which an entry's `fixed()` differs from its `broken()`, and the helpers
that one of them alone names.

The script is read, not run.
"""

from __future__ import annotations

import ast
import difflib
import textwrap
from collections.abc import Mapping
from pathlib import Path

from torchwhy.knowledge.files import read_text
from torchwhy.text.plain import written_out

MAX_LINE_CHARS = 500
MAX_LINES = 10  # that are shown; what differs more is no lesson at a glance
MAX_COMPARED_LINES = 200


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
    lines = text.splitlines()
    old, new = _bodies(lines, functions, "broken", "fixed"), _bodies(lines, functions, "fixed", "broken")
    changed = [
        f"{line[0]} {line[1:]}".rstrip()
        for line in list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:]
        if line[0] in "-+"
    ]
    if len(changed) > MAX_LINES:
        changed = [*changed[: MAX_LINES - 1], "  ..."]
    return "\n".join(written_out(line[:MAX_LINE_CHARS]) for line in changed)


def _bodies(lines: list[str], functions: Mapping[str, ast.FunctionDef], name: str, other: str) -> list[str]:
    """The lines of a function, then of the helpers that the other does not name."""
    helpers = sorted((_names(functions[name]) - _names(functions[other])) & functions.keys())
    found: list[str] = []
    for node in map(functions.__getitem__, [name, *helpers[:MAX_LINES]]):
        found += textwrap.dedent("\n".join(lines[node.body[0].lineno - 1 : node.end_lineno])).splitlines()
    return found[:MAX_COMPARED_LINES]


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
