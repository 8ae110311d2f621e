"""Which functions a script calls, read from its source with `ast`."""

from __future__ import annotations

import ast


def calls_of(source: str, function: str) -> set[str]:
    """Last names of all calls that `function` makes, through functions and classes of the same file too."""
    tree = ast.parse(source)
    bodies = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    seen: set[str] = set()
    names: set[str] = set()
    queue = [function]
    while queue:
        name = queue.pop()
        if name in seen or name not in bodies:
            continue
        seen.add(name)
        for node in ast.walk(bodies[name]):
            if isinstance(node, ast.Call):
                names.add(last_name(node.func))
            if isinstance(node, ast.Name) and node.id in bodies:
                queue.append(node.id)
    return names


def last_name(node: ast.expr) -> str:
    """`a.b.c` -> "c"; a call of a call's result -> the inner call's name."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Call):
        return last_name(node.func)
    return type(node).__name__


def calls_on_line(source: str, line: int) -> set[str]:
    """Last names of the calls in the innermost statement that covers `line`."""
    best: ast.stmt | None = None
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt) or not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        if best is None or (node.lineno, -(node.end_lineno or 0)) >= (best.lineno, -(best.end_lineno or 0)):
            best = node
    if best is None or hasattr(best, "body"):
        return set()
    return {last_name(node.func) for node in ast.walk(best) if isinstance(node, ast.Call)}
