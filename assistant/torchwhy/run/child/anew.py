"""Runs the program that crashed from its start again, in a fork of it (Python 3.8 and later)."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from _frozen_importlib_external import SourceFileLoader
from types import ModuleType
from typing import Any, Callable, Dict, Optional


def run_anew(frame: Any, sources: Dict[str, ast.Module], is_library: Callable[[str], bool]) -> Optional[str]:
    """Run the script whose outermost frame this is, with these sources in the place of its files', and raise
    what it raises; say why where it cannot be run.
    """
    main = sys.modules["__main__"]
    if frame.f_globals is not vars(main) or frame.f_code.co_name != "<module>" or main.__spec__ is not None:
        return "the program is no script"
    torch = sys.modules["torch"]
    torch.set_grad_enabled(True)  # it may have failed below no_grad
    torch.manual_seed(0)  # each time the same where the program sets none
    # of the program's threads, which did not come along
    torch.set_num_threads = torch.set_num_interop_threads = lambda number: None  # type: ignore[attr-defined]
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and module is not main and not is_library(file) and not name.startswith("torchwhy"):
            del sys.modules[name]
    trees = {os.path.realpath(name): tree for name, tree in sources.items()}
    original: Callable[..., Any] = SourceFileLoader.get_code

    def get_code(self: Any, name: str) -> Any:
        path = self.get_filename(name)
        tree = trees.get(os.path.realpath(path))
        return original(self, name) if tree is None else compile(tree, path, "exec", dont_inherit=True)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    path = frame.f_code.co_filename
    new = sys.modules["__main__"] = ModuleType("__main__")
    new.__file__ = main.__file__
    tree = trees.get(os.path.realpath(path)) or ast.parse("".join(linecache.getlines(path)))
    exec(compile(tree, path, "exec", dont_inherit=True), vars(new))
    return None
