"""The Python environments of this machine: which has a package, and what installs into one. Only files are
looked at; nothing is started.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from torchwhy.paste.place import is_far

from .interpreters import environments_in, python_told, python_under
from .packages import has_package

BESIDE = (".venv", "venv", "env")  # the usual names of an environment beside a program
MAX_ABOVE = 3  # folders above the program's that are looked into
MAX_KNOWN = 50  # environments of conda's list
MAX_COMMAND_CHARS = 200


def failed_python(recorded: str, text: str) -> str:
    """The Python that failed: of the record of a run, else the one environment whose packages stand in the
    text; "" where neither tells.
    """
    if recorded:
        return recorded if os.access(recorded, os.X_OK) else ""
    told = {python_told(root, release) for root, release in environments_in(text)[:MAX_KNOWN]}
    return told.pop() or "" if len(told) == 1 else ""


def install_command(python: str) -> str:
    """What installs packages for that Python, without their names: pip, uv where the environment has no
    pip, an environment of its own where the system keeps pip out.
    """
    root, quoted = Path(python).parent.parent, shlex.quote(python)
    own = root / "pyvenv.cfg"
    if own.is_file() and not has_package(root, "pip"):
        command = f"uv pip install --python {quoted}"
    elif not own.is_file() and any(root.glob("lib/python3*/EXTERNALLY-MANAGED")):
        command = f"{quoted} -m venv .venv && .venv/bin/python -m pip install"
    else:
        command = f"{quoted} -m pip install"
    return command if len(command) <= MAX_COMMAND_CHARS else ""


def python_with(package: str, besides: str, folder: str) -> str:
    """The Python of another environment that has the package: the active one, one beside the program,
    torchwhy's own, one of conda's; "" where none has it.
    """
    own = Path(besides).parent.parent if besides else None
    for root in _roots(folder):
        try:
            python = None if root == own or not has_package(root, package) else python_under(root)
        except OSError:  # a folder that is closed to this user
            continue
        if python and python != besides and len(python) <= MAX_COMMAND_CHARS:
            return python
    return ""


def _roots(folder: str) -> Iterator[Path]:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if os.environ.get(name):
            yield Path(os.environ[name])
    near = Path(os.path.abspath(os.curdir if is_far(folder) else folder))
    for above in (near, *near.parents[:MAX_ABOVE]):
        yield from (above / name for name in BESIDE)
    yield Path(sys.prefix)
    try:
        known = Path("~/.conda/environments.txt").expanduser().read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError, RuntimeError):
        return
    yield from map(Path, known[:MAX_KNOWN])
