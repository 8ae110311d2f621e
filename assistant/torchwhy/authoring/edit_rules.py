"""What can be checked of an entry's edits without running one: that what stands there is written once, that
the functions of its edit.py are those which they name, and only read the user's program.
"""

from __future__ import annotations

import ast
from pathlib import Path

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.files import EDIT_FILE, read_text
from torchwhy.knowledge.texts import file_of

IT = "{it}"  # in what is written: what stood there (`source/edits.py`)
IMPORTS = ("re", "ast", "collections.abc", "torchwhy.source")
PARAMETERS = ["line", "values"]
ACTING = frozenset(["open", "exec", "eval", "compile", "print", "input", "__import__"])


def check_edits(entry: Pitfall) -> list[Problem]:
    """Functions that are missing, unnamed by any edit, or of other parameters; what does more than read."""
    file = f"{entry.category}/{entry.id}/{EDIT_FILE}"
    changes = (*entry.change, *(change for signature in entry.signatures for change in signature.change))
    edits = [edit for change in changes for edit in change.edits]
    twice = [edit.to for edit in edits if edit.to and edit.to.count(IT) > 1]
    problems = [
        Problem(file_of(entry), "edits.to", to, f"{IT} once: what stands there would run twice")
        for to in twice
    ]
    named = {edit.function for edit in edits if edit.function}
    path = Path(entry.folder, EDIT_FILE)
    if not named and not path.exists():
        return problems
    try:
        tree = ast.parse(read_text(path))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return [*problems, Problem(file, "(file)", f"{type(error).__name__}: {error}", "a file of functions")]
    found = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    wanted = f"def NAME({', '.join(PARAMETERS)}), one for each name in `edits`"
    problems += [Problem(file, name, "no such function", wanted) for name in sorted(named - found.keys())]
    unnamed = sorted(name for name in found.keys() - named if not name.startswith("_"))
    problems += [Problem(file, name, "a function that no edit names", "one, or _NAME") for name in unnamed]
    for name in sorted(named & found.keys()):
        if [each.arg for each in found[name].args.args] != PARAMETERS:
            problems.append(Problem(file, name, ast.unparse(found[name].args), wanted))
    foreign = [
        name for name in _imported(tree) if not (name + ".").startswith(tuple(f"{each}." for each in IMPORTS))
    ]
    problems += [Problem(file, "import", name, f"one of {', '.join(IMPORTS)}") for name in foreign]
    acts = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)} & ACTING
    return problems + [
        Problem(file, name, name, "a function that only reads the program") for name in sorted(acts)
    ]


def _imported(tree: ast.AST) -> list[str]:
    """The modules that are imported, sorted; "." of one beside the file."""
    names = [alias.name for each in ast.walk(tree) if isinstance(each, ast.Import) for alias in each.names]
    froms = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom)]
    return sorted([*names, *(each.module or "." if not each.level else "." for each in froms)])
