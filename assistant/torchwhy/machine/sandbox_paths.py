"""Where a Python and what it loads lie: what a script's jail must be able to read, beside the system
itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from torchwhy.runtime.system import program

from .interpreters import ask_python

ASK_TIMEOUT_S = 60.0
# Runs in the other environment: plain Python of any release that torch supports.
ASK = r"""
import json, sys
found = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix] + sys.path
try:
    from importlib.util import find_spec
    found += list(find_spec("torch").submodule_search_locations)
except Exception:
    pass
print(json.dumps(found))
"""
LISTS = ("LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "PYTHONPATH")
FOLDERS = ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "ROCM_PATH", "ROCM_HOME", "HIP_PATH", "ONEAPI_ROOT")
TOOLS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "nvcc", "hipcc", "ninja", "ld", "as")
# Folders that are many people's, or hold what is nobody else's business: their parts are shown, never they
# themselves.
NAMES = ("home", "root", "tmp", "var", "var/tmp", "run", "mnt", "media", "srv", "etc", "dev", "proc")
SHARED = ("/", *(f"/{name}" for name in NAMES))
PARTS_OF_A_PREFIX = ("bin", "lib", "lib64", "include")


@lru_cache(maxsize=16)
def of_python(interpreter: str) -> tuple[str, ...]:
    """The folders and files that this interpreter reads its modules from (one process, 0.1 s).

    Raises ConfirmError.
    """
    found = ask_python(interpreter, ["-c", ASK], ASK_TIMEOUT_S, lambda said: isinstance(said, list))
    return tuple(name for name in found if isinstance(name, str) and os.path.isabs(name))


def of_environment(env: Mapping[str, str]) -> list[str]:
    """What the environment's variables name: libraries, headers, CUDA, compilers."""
    found = [part for name in LISTS for part in env.get(name, "").split(os.pathsep)]
    found += env.get("LD_PRELOAD", "").replace(":", " ").split()
    found += [env.get(name, "") for name in FOLDERS]
    for name in (*TOOLS, *(env.get(key, "").split(" ")[0] for key in ("CC", "CXX"))):
        tool = program(name, env.get("PATH")) if name else None
        if tool:
            found.append(os.path.dirname(os.path.dirname(os.path.realpath(tool))))
    return [name for name in found if os.path.isabs(name)]


def shown(names: Iterable[str], homes: Iterable[str]) -> list[str]:
    """Which of these are shown in a jail: what is there, as named and as it really lies; nothing twice.

    Never a home or a folder above one, nor one of many people; of a prefix that is one, its parts.
    """
    hidden = {_normal(name) for name in (*SHARED, *homes)}
    hidden |= {os.path.realpath(name) for name in hidden}
    above = {str(folder) for home in hidden for folder in Path(home).parents}
    same = {identity for name in hidden | above if (identity := _identity(name))}

    def private(name: str) -> bool:
        # By what it is as well: a link, a second mount or /proc/self/root gives a home another name.
        return name in hidden or name in above or _identity(name) in same

    found: set[str] = set()
    for given in names:
        named, real = _normal(given), os.path.realpath(given)
        # A link to a home is shown as a link alone.
        for name in {real} if private(named) and os.path.islink(named) else {named, real}:
            parts = [os.path.join(name, part) for part in PARTS_OF_A_PREFIX] if private(name) else [name]
            found |= {part for part in parts if os.path.exists(part) and not private(part)}
    return [name for name in sorted(found) if not any(is_below(name, other) for other in found - {name})]


def _normal(name: str) -> str:
    """A path without what changes nothing in it; two slashes at its beginning are one on Linux."""
    name = os.path.normpath(name)
    return name[1:] if name.startswith("//") else name


def _identity(name: str) -> tuple[int, int] | None:
    """What tells a folder from all others, whatever it is called; None where it cannot be looked at."""
    try:
        status = os.stat(name)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def is_below(name: str, folder: str) -> bool:
    return name.startswith(folder.rstrip("/") + "/")


def links_to(program: str) -> list[str]:
    """A program's path and those of the links that lead from it to the file."""
    found = [os.path.abspath(program)]
    while os.path.islink(found[-1]) and len(found) < 40:  # as many as the kernel follows
        target = os.path.join(os.path.dirname(found[-1]), os.readlink(found[-1]))
        found.append(os.path.normpath(target))
    return found
