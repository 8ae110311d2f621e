"""What can be checked of a repro.py without running it. Reads the source with `ast`; executes nothing."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.files import UnreadableFileError, read_text

# Packages whose module has another name.
IMPORTED_AS = {"scikit_learn": "sklearn", "pillow": "PIL"}
ALWAYS = {"torch"}


def check_shape(entry: Pitfall) -> list[Problem]:
    """What a script lacks of its form: a docstring, broken(), fixed(), a guarded main, its exit statuses."""
    source, tree = _parsed(entry)
    if isinstance(tree, Problem):
        return [tree]
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    guarded = any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)
    main = 'if __name__ == "__main__": that runs fixed() for --fixed and broken() otherwise'
    no_gpu = "sys.exit(125) with the reason on stderr where there is no GPU"
    measured = 'sys.exit("symptom: ...") after measuring it'
    rows = (
        (ast.get_docstring(tree), "docstring", "one or two sentences that say what goes wrong here"),
        ("broken" in functions, "broken", "def broken():"),
        ("fixed" in functions, "fixed", "def fixed():"),
        (guarded and "--fixed" in source, "main", main),
        (not entry.needs.cuda or "125" in source, "exit 125", no_gpu),
        (entry.kind != "silent" or "symptom:" in source, "symptom", measured),
    )
    if entry.repro is None:
        return []
    return [Problem(_file_of(entry), field, "none", wanted) for holds, field, wanted in rows if not holds]


def check_imports(entry: Pitfall) -> list[Problem]:
    """Modules that the script imports beside the standard library, torch and the packages that the entry
    needs.
    """
    _, tree = _parsed(entry)
    if isinstance(tree, Problem):
        return []
    packages = {package.replace("-", "_") for package in entry.needs.packages}
    packages |= {module for package, module in IMPORTED_AS.items() if package in packages}
    wanted = "the standard library, torch, or a package named in needs.packages"
    return [
        Problem(_file_of(entry), "import", module, f"{wanted} (add {module} there)")
        for module in sorted(imported(tree) - set(sys.stdlib_module_names) - ALWAYS - packages)
    ]


def _file_of(entry: Pitfall) -> str:
    return f"{entry.category}/{entry.id}/repro.py"


def _parsed(entry: Pitfall) -> tuple[str, ast.Module | Problem]:
    """A script's source and syntax tree (both empty for an entry without a script), or why it cannot be
    parsed.
    """
    if entry.repro is None:
        return "", ast.Module([], [])
    try:
        source = read_text(Path(entry.repro))
    except UnreadableFileError as error:
        return "", Problem(_file_of(entry), "(file)", error.found, error.wanted)
    try:
        return source, ast.parse(source)
    except SyntaxError as error:
        return source, Problem(_file_of(entry), f"line {error.lineno}", str(error.msg), "Python that parses")
    except (ValueError, RecursionError, MemoryError) as error:  # a NUL, an expression without end
        return source, Problem(_file_of(entry), "(file)", type(error).__name__, "Python that parses")


def imported(tree: ast.AST) -> set[str]:
    """Top-level names of every absolute import."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names
