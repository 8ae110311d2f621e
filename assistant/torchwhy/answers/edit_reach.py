"""Whether an edit of one line reaches further than the call that failed: what is used again below, and what
other objects run the same line. Read off the source alone: in doubt it does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchwhy.source.line import parsed_line
from torchwhy.source.module import Module
from torchwhy.source.nodes import Function, inside, last_name

LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def reaches_further(source: Module, line: int, before: str, after: str) -> bool:
    """Whether the line, once it reads `after`, changes more than the failing case."""
    targets = {
        last_name(target) for made in inside(parsed_line(before), ast.Assign) for target in made.targets
    }
    # what the line makes is called in more than one place, which may give it other inputs
    often = len(source.called_as(*targets - {""})) > 1
    return often or _runs_elsewhere(source, line) or _is_used_below(source, line, before, after)


def _runs_elsewhere(source: Module, line: int) -> bool:
    """Whether the function of that line runs for other objects, or is called from other lines."""
    functions: list[Function] = source.around(line, ast.FunctionDef, ast.AsyncFunctionDef)
    if not functions:
        return False
    classes = source.around(line, ast.ClassDef)
    owner = classes[-1].name if classes else functions[0].name
    calls = [each for each in source.called_as(owner) if isinstance(each.func, ast.Name)]
    looped = any(isinstance(above, LOOPS) for each in calls for above in source.above(each))
    copied = source.called_as("deepcopy", "copy")  # which make a second object of a class
    return len(calls) > 1 or bool(classes and (looped or copied))


def _is_used_below(source: Module, line: int, before: str, after: str) -> bool:
    """Whether a name that the edit changes at this place alone is read again further down."""
    changed = _changed_names(before, after)
    functions: list[Function] = source.around(line, ast.FunctionDef, ast.AsyncFunctionDef)
    scope = functions[-1] if functions else source.tree
    return bool(changed) and any(each.id in changed and each.lineno > line for each in _read(scope))


def _read(tree: ast.AST | None) -> Iterator[ast.Name]:
    return (each for each in inside(tree, ast.Name) if isinstance(each.ctx, ast.Load))


def _same_chars(first: str, second: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(first), len(second)))


def _changed_names(before: str, after: str) -> set[str]:
    """The names whose value the edit changes where the line reads them; none that the line itself binds."""
    tree = parsed_line(before)
    if tree is None or not before.isascii():
        return set()
    start = _same_chars(before, after)
    start -= before[:start].endswith(".")  # what stands in front of it is what changes
    end = len(before) - _same_chars(before[start:][::-1], after[start:][::-1])
    if after[start:].lstrip().startswith(","):
        return set()  # an argument more: what stands in front of it stays
    bound = {each.id for each in inside(tree, ast.Name) if isinstance(each.ctx, ast.Store)}
    touched = (each for each in _read(tree) if each.col_offset <= end and (each.end_col_offset or 0) >= start)
    return {each.id for each in touched} - bound
