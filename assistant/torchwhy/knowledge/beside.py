"""Running the Python beside an entry (lint.py, edit.py); who may do so is decided elsewhere."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from torchwhy.runtime import locations
from torchwhy.text.python_source import read_otherwise

from .files import read_bytes
from .script_hashes import content_hash


class RefusedPythonError(ValueError):
    """A file that was not run, with the reason."""


def executed(path: Path, sha256: str | None, name: str) -> dict[str, Any]:
    """The names that a file defines, whatever it raises. What runs is what was read here: no compiled file
    beside it, no encoding in which Python would read something else than whoever read it, nothing changed
    meanwhile.

    `sha256`: of the content that may run, None for a shipped one. Raises RefusedPythonError.
    """
    content = read_bytes(path)
    if sha256 is not None and content_hash(content) != sha256:
        raise RefusedPythonError(f"{path}: changed meanwhile, so it was not run")
    otherwise = read_otherwise(content)
    if otherwise:
        raise RefusedPythonError(f"{path}: {otherwise}, so it was not run")
    module = ModuleType(name)
    module.__file__ = str(path)
    exec(compile(content, str(path), "exec"), module.__dict__)  # noqa: S102 (a shipped file, or its author's)
    return module.__dict__


def shipped_file(path: Path) -> Path | None:
    """Where a shipped file really lies, since a link to it may be exchanged after it was looked at;
    None for another one.
    """
    real = path.resolve()
    return real if real.is_relative_to(locations.shipped("kb").resolve()) else None
