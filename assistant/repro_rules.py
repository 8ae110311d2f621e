"""What can be checked of a repro.py without running it. Reads the source with `ast`; executes nothing."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from .types import Pitfall, Problem

ALWAYS = {"torch"}


def check_repro(entry: Pitfall) -> list[Problem]:
    """Every rule that entry's repro.py breaks."""
    if entry.repro is None:
        return []
    path = Path(entry.repro)
    file = f"{entry.category}/{entry.id}/repro.py"
    source = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        return [Problem(file, f"line {error.lineno}", str(error.msg), "Python that parses")]
    problems = []

    def report(field: str, found: str, wanted: str) -> None:
        problems.append(Problem(file, field, found, wanted))

    if not ast.get_docstring(tree):
        report("docstring", "none", "one or two sentences that say what goes wrong here")
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name in ("broken", "fixed"):
        if name not in functions:
            report(name, "no such function", f"def {name}():")
    if not any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body):
        report("main", "no guard", 'if __name__ == "__main__": that runs fixed() for --fixed and broken() otherwise')
    if "--fixed" not in source:
        report("main", "no --fixed", "python repro.py --fixed runs fixed()")
    allowed = set(sys.stdlib_module_names) | ALWAYS | {package.replace("-", "_") for package in entry.needs.packages}
    for module in sorted(imported(tree) - allowed):
        if module != "sklearn" or "scikit_learn" not in allowed:
            report("import", module, f"the standard library, torch, or a package named in needs.packages (add {module} there)")
    if entry.needs.cuda and "125" not in source:
        report("exit 125", "none", "sys.exit(125) with the reason on stderr where there is no GPU")
    if entry.kind == "silent" and "symptom:" not in source:
        report("symptom", "none", 'sys.exit("symptom: ...") after measuring it')
    return problems


def imported(tree: ast.AST) -> set[str]:
    """Top-level names of every absolute import."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


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
