"""What can be checked of the Python in `cause`, `fix` and `check` without running it.

A block may use the names that every reader knows, and those that the entry speaks of. One whose fence says
```` ```python run ```` is run by the tests under the installed torch; readers see the fence without that
word.
"""

from __future__ import annotations

import ast
import builtins
import re
import textwrap
from collections.abc import Iterator

from torchwhy.knowledge.entry import Pitfall, Problem
from torchwhy.knowledge.texts import code_blocks, file_of, prose_of
from torchwhy.text.python_source import parse_python

from .known_names import known_names

# Of a fragment of PyTorch. Everything else is imported, assigned or spoken of.
CONVENTIONAL_MODULES = known_names("modules")
CONVENTIONAL_NAMES = known_names("fragments")
MAX_SAID_CHARS = 300  # of what Python says of a block
WORD = re.compile(r"[A-Za-z_]\w*")


def check_code_blocks(entry: Pitfall) -> Iterator[Problem]:
    """Python that does not parse, and names that nothing defines and no sentence mentions."""
    defined_of_field: dict[str, set[str]] = {}
    spoken: set[str] | None = None  # collected once, where a block needs it
    for block in code_blocks(entry):
        if block.language != "python":
            continue
        try:
            tree = parse_python(block.code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:  # the last two: too deep
            said = f"{error.msg}: {error.text!r}" if isinstance(error, SyntaxError) else type(error).__name__
            yield Problem(file_of(entry), block.field, said[:MAX_SAID_CHARS], "Python that parses")
            continue
        earlier = defined_of_field.setdefault(block.field, set())
        defined = bound_names(tree)
        unknown = free_names(tree) - defined - earlier - CONVENTIONAL_NAMES - CONVENTIONAL_MODULES
        unknown -= set(dir(builtins))
        if unknown:
            spoken = spoken_names(entry) if spoken is None else spoken
            unknown = {name for name in unknown - spoken if not made_of_known(name)}
        for name in sorted(unknown):
            wanted = "an import or an assignment in the block, or its name in the text, as in: where `total` are the sums"
            yield Problem(file_of(entry), block.field, f"{name}, which nothing defines", wanted)
        earlier |= defined


def made_of_known(name: str) -> bool:
    """Whether a name is a conventional one with a word added: loss_a, raw_labels, static_x."""
    parts = name.split("_")
    return len(parts) > 1 and bool(CONVENTIONAL_NAMES.intersection((parts[0], parts[-1])))


def bound_names(tree: ast.AST) -> set[str]:
    """Every name that the code imports, assigns, defines or takes as an argument, in whatever scope."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
    return names


def free_names(tree: ast.AST) -> set[str]:
    """Every name that the code reads."""
    return {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def spoken_names(entry: Pitfall) -> set[str]:
    """The words of the entry's prose, of its questions and of the comments of its code."""
    texts = [prose_of(getattr(entry, name).en) for name in ("cause", "fix", "check")]
    texts += [prose_of(getattr(entry, name).zh) for name in ("cause", "fix", "check")]
    texts += [line for lines in entry.asks.values() for line in lines]
    texts += [entry.title.en, *(signature.example for signature in entry.signatures)]
    texts += re.findall(r"#(.*)", "\n".join(textwrap.dedent(block.code) for block in code_blocks(entry)))
    return {word for text in texts for word in WORD.findall(text)}
