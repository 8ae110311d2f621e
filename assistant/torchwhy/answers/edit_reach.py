"""Whether an edit of one line reaches further than the call that failed: what is used again below, and what
other objects run the same line. Read off the source alone: in doubt it does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from torchwhy.paste.place import UserFrame

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


def has_run(source: OwnFile, outside: UserFrame) -> bool:
    """Whether an object that the outermost line calls was called before, on a line above: what is defined for
    it did well there.
    """
    line = parsed_line(outside.code)
    names = {
        node.func.id
        for node in (ast.walk(line) if line is not None else ())
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    names &= _objects(source.tree)
    scope = _function_at(source.tree, outside.line or 0)
    return any(
        call.lineno < (outside.line or 0) and _function_at(source.tree, call.lineno) is scope
        for name in names
        for call in _calls(source.tree, name)
    )


def _objects(tree: ast.Module) -> set[str]:
    """The names that are given a value: no functions, no classes, nothing imported."""
    assigned = (node for node in ast.walk(tree) if isinstance(node, ast.Assign))
    targets = [target for node in assigned for target in node.targets]
    flat = [each for target in targets for each in getattr(target, "elts", [target])]
    return {last_name(each) for each in flat} - {""}


def _function_at(tree: ast.Module, line: int) -> Function | None:
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return around[-1] if around else None


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
    other = [node for node in ast.walk(old) if isinstance(node, ast.Call) and ast.unparse(node) not in kept]
    innermost = [node for node in other if not any(each in other for each in list(ast.walk(node))[1:])]
    changed = {node.func.id for node in innermost if isinstance(node.func, ast.Name)}
    return any(
        call.lineno > line and all(map(_is_given, call.args))  # what is made there may be another kind
        for name in changed & _objects(tree)
        for call in _calls(tree, name)
    )


def _is_given(node: ast.expr) -> bool:
    """Whether it is a name, or a part of what a name stands for."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


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
    """Whether what the edit changes at this place alone is read again, in the line or further down."""
    whole = parsed_line(before)
    if whole is None or not before.isascii():
        return False
    start = _same_chars(before, after)
    end = len(before) - _same_chars(before[start:][::-1], after[start:][::-1])
    gone, put = before[start:end], after[start : len(after) - len(before) + end]
    if put.lstrip().startswith(","):
        return False  # an argument more: what stands in front of it stays
    scope = _function_at(tree, line) or tree
    given_up = parsed_line(gone) if gone.strip() else None
    if given_up is not None and not _loads(given_up) & _loads(parsed_line(put)):
        text = ast.unparse(given_up)
        below = [node for node in ast.walk(scope) if isinstance(node, ast.expr) and node.lineno > line]
        return any(ast.unparse(node) == text for node in below)  # it is as wrong there
    changed = _names_at(whole, start - before[:start].endswith("."), end) - _imported(tree)
    here = _read(whole, changed)
    if not gone and len(here) > len({ast.unparse(node) for node in here}):
        return True
    bound = {
        node.id for node in ast.walk(whole) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    below = [node for node in _read(scope, changed - bound) if node.lineno > line]
    parts = {ast.unparse(node) for node in here}
    return any(
        ast.unparse(node) in parts or not (_is_part(node) and all(map(_is_part, here))) for node in below
    )


def _read(tree: ast.AST | None, names: set[str]) -> list[ast.expr]:
    """Where these names are read: `state["model"]` whole, where a name is asked for a part by a text."""
    found: list[ast.expr] = []
    todo = [tree] if tree is not None else []
    while todo:
        node = todo.pop()
        name = node.value if isinstance(node, ast.Subscript) and _is_part(node) else node
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load) and name.id in names:
            found.append(node if isinstance(node, ast.Subscript) else name)
        else:
            todo += ast.iter_child_nodes(node)
    return found


def _is_part(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
    )


def _same_chars(first: str, second: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(first), len(second)))


def _names_at(tree: ast.AST, start: int, end: int) -> set[str]:
    """The names that a line reads in these columns or next to them."""
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.col_offset <= end
        and (node.end_col_offset or 0) >= start
    }


def _loads(tree: ast.AST | None) -> set[str]:
    return {
        node.id
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _imported(tree: ast.Module) -> set[str]:
    return {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
