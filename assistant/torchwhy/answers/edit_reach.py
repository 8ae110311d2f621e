"""Whether an edit of one line reaches further than the call that failed: what is used again below, and what
other objects run the same line. Read off the source alone: in doubt it does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .own_source import OwnFile, last_name, parsed_line

Function = ast.FunctionDef | ast.AsyncFunctionDef
LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
COPIES = frozenset(["deepcopy", "copy"])  # make a second object of a class


def reaches_further(source: OwnFile, line: int, before: str, after: str) -> bool:
    """Whether the line, once it reads `after`, changes more than the failing case."""
    tree = source.tree
    return (
        _runs_elsewhere(tree, line)
        or _is_called_often(tree, before)
        or _is_given_below(tree, line, before, after)
        or _is_used_below(tree, line, before, after)
    )


def _is_called_often(tree: ast.Module, before: str) -> bool:
    """Whether what the line makes is called in more than one place, which may give it other inputs."""
    made = parsed_line(before)
    targets = {
        last_name(target)
        for node in (ast.walk(made) if made is not None else ())
        if isinstance(node, ast.Assign)
        for target in node.targets
    } - {""}
    calls = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node.func) in targets
    ]
    return len(calls) > 1


def _is_given_below(tree: ast.Module, line: int, before: str, after: str) -> bool:
    """Whether the edit changes what an object is called with that is called further down too: what it gets
    there lacks the same, and the program would fail there next.
    """
    old, new = parsed_line(before), parsed_line(after)
    if old is None or new is None:
        return False
    kept = {ast.unparse(node) for node in ast.walk(new) if isinstance(node, ast.Call)}
    changed = {
        node.func.id
        for node in ast.walk(old)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and ast.unparse(node) not in kept
    }
    objects = {
        last_name(target)
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
    return any(call.lineno > line for name in changed & objects for call in _calls(tree, name))


def _runs_elsewhere(tree: ast.Module, line: int) -> bool:
    """Whether the function of that line runs for other objects, or is called from other lines."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, Function | ast.ClassDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    classes = [node for node in around if isinstance(node, ast.ClassDef)]
    functions = [node for node in around if isinstance(node, Function)]
    if not functions:
        return False
    owner = classes[-1].name if classes else functions[0].name
    calls = list(_calls(tree, owner))
    copied = classes and any(
        isinstance(node, ast.Call) and last_name(node.func) in COPIES for node in ast.walk(tree)
    )
    return len(calls) > 1 or bool(copied) or (bool(classes) and any(_in_loop(tree, each) for each in calls))


def _calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    """The calls of a class or function of the file by its bare name."""
    return (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    )


def _in_loop(tree: ast.AST, call: ast.Call) -> bool:
    return any(
        isinstance(node, LOOPS) and any(each is call for each in ast.walk(node)) for node in ast.walk(tree)
    )


def _is_used_below(tree: ast.Module, line: int, before: str, after: str) -> bool:
    """Whether a name that the edit changes at this place alone is read again further down."""
    changed = _changed_names(before, after)
    if not changed:
        return False
    scopes = [
        node
        for node in ast.walk(tree)
        if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    scope: ast.AST = scopes[-1] if scopes else tree
    return any(
        isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.id in changed
        and node.lineno > line
        for node in ast.walk(scope)
    )


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
    bound = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.col_offset <= end
        and (node.end_col_offset or 0) >= start
    } - bound
