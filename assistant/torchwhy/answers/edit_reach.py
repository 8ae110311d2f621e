"""Whether an edit of one line reaches further than the call that failed: what is used again below, and what
other objects run the same line. Read off the source alone: in doubt it does.
"""

from __future__ import annotations

import ast

from torchwhy.paste.place import UserFrame
from torchwhy.source.line import parsed_line
from torchwhy.source.module import Module
from torchwhy.source.nodes import Function, constant, inside, last_name

LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def reaches_further(source: Module, line: int, before: str, after: str, fails: bool = True) -> bool:
    """Whether the line, once it reads `after`, changes more than the failing case. Of lines that come or go
    beside it, only whether they run elsewhere: what puts them there knows what they do.
    `fails`: it is the failing line; of another one the edit is no part of what the names there stand for.
    """
    if "\n" in after or after.strip() in ("", before):
        return _runs_elsewhere(source, line)
    targets = {
        last_name(target) for made in inside(parsed_line(before), ast.Assign) for target in made.targets
    }
    # what the line makes is called in more than one place, which may give it other inputs
    often = len(source.called_as(*targets - {""})) > 1
    return (
        often
        or _runs_elsewhere(source, line)
        or _is_given_below(source, line, before, after)
        or (fails and _is_used_below(source, line, before, after))
    )


def has_run(source: Module, outside: UserFrame) -> bool:
    """Whether an object that the outermost line calls was called before, on a line above: what is defined for
    it did well there.
    """
    names = _called(parsed_line(outside.code)) & _objects(source)
    scope = _function_at(source, outside.line or 0)
    return any(
        call.lineno < (outside.line or 0) and _function_at(source, call.lineno) is scope
        for call in _calls(source, names)
    )


def _called(tree: ast.AST | None) -> set[str]:
    return {each.func.id for each in inside(tree, ast.Call) if isinstance(each.func, ast.Name)}


def _calls(source: Module, names: set[str]) -> list[ast.Call]:
    """The calls of these by their bare names."""
    return [each for each in source.called_as(*sorted(names)) if isinstance(each.func, ast.Name)]


def _objects(source: Module) -> set[str]:
    """The names that are given a value: no functions, no classes, nothing imported."""
    targets = [target for each in source.of(ast.Assign) for target in each.targets]
    flat = [each for target in targets for each in getattr(target, "elts", [target])]
    return {last_name(each) for each in flat} - {""}


def _function_at(source: Module, line: int) -> Function | None:
    functions: list[Function] = source.around(line, ast.FunctionDef, ast.AsyncFunctionDef)
    return functions[-1] if functions else None


def _is_given_below(source: Module, line: int, before: str, after: str) -> bool:
    """Whether the edit changes what an object is called with that is called further down too: what it gets
    there lacks the same, and the program would fail there next.
    """
    old, new = parsed_line(before), parsed_line(after)
    if old is None or new is None:
        return False
    kept = {ast.unparse(each) for each in inside(new, ast.Call)}
    other = [each for each in inside(old, ast.Call) if ast.unparse(each) not in kept]
    innermost = [each for each in other if not any(inner in other for inner in list(ast.walk(each))[1:])]
    changed = {each.func.id for each in innermost if isinstance(each.func, ast.Name)}
    return any(
        call.lineno > line and all(map(_is_given, call.args))  # what is made there may be another kind
        for call in _calls(source, changed & _objects(source))
    )


def _is_given(node: ast.expr) -> bool:
    """Whether it is a name, or a part of what a name stands for."""
    while isinstance(node, ast.Subscript | ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


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
    """Whether what the edit changes at this place alone is read again, in the line or further down."""
    whole = parsed_line(before)
    if whole is None or not before.isascii():
        return False
    start = _same_chars(before, after)
    end = len(before) - _same_chars(before[start:][::-1], after[start:][::-1])
    gone, put = before[start:end], after[start : len(after) - len(before) + end]
    if put.lstrip().startswith(","):
        return False  # an argument more: what stands in front of it stays
    scope = _function_at(source, line) or source.tree
    given_up = parsed_line(gone) if gone.strip() else None
    if given_up is not None and not _loads(given_up) & _loads(parsed_line(put)):
        text = ast.unparse(given_up)
        # it is as wrong there
        return any(ast.unparse(each) == text for each in inside(scope, ast.expr) if each.lineno > line)
    changed = _names_at(whole, start - before[:start].endswith("."), end) - _imported(source)
    here = _read(whole, changed)
    if not gone and len(here) > len({ast.unparse(each) for each in here}):
        return True
    bound = {each.id for each in inside(whole, ast.Name) if isinstance(each.ctx, ast.Store)}
    below = [each for each in _read(scope, changed - bound) if each.lineno > line]
    parts = {ast.unparse(each) for each in here}
    return any(
        ast.unparse(each) in parts or not (_is_part(each) and all(map(_is_part, here))) for each in below
    )


def _read(tree: ast.AST, names: set[str]) -> list[ast.expr]:
    """Where these names are read: `state["model"]` whole, where a name is asked for a part by a text."""
    found: list[ast.expr] = []
    todo = [tree]
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
        and isinstance(constant(node.slice), str)
    )


def _same_chars(first: str, second: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(first), len(second)))


def _names_at(tree: ast.AST, start: int, end: int) -> set[str]:
    """The names that a line reads in these columns or next to them."""
    read = (each for each in inside(tree, ast.Name) if isinstance(each.ctx, ast.Load))
    return {each.id for each in read if each.col_offset <= end and (each.end_col_offset or 0) >= start}


def _loads(tree: ast.AST | None) -> set[str]:
    return {each.id for each in inside(tree, ast.Name) if isinstance(each.ctx, ast.Load)}


def _imported(source: Module) -> set[str]:
    aliases = (alias for each in source.of(ast.Import) for alias in each.names)
    return {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
