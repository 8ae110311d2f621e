"""What an interpreter's environment holds, read from its files: torch is not imported and nothing of it is
run.

The interpreter is started once (20 to 50 ms) to print its sys.path; for this process's own Python not even
that. All else is read from names of folders and from torch's version.py.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from torchwhy.knowledge.vocabulary import canonical

from .interpreters import ask_python

WHERE = (
    "import json, sys; print(json.dumps("
    "[list(sys.version_info[:3]), sys.platform, [sys.prefix, sys.base_prefix], sys.path]))"
)
DISTRIBUTION = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.]*)-(?P<version>\d[^-]*?)(?:-py\d[\d.]*)?\.(?:dist-info|egg-info|egg)\Z"
)
# Intel's and LLVM's run-times abort when a second copy is loaded, so each file counts; copies of libgomp get
# along.
KMP = re.compile(r"(?:libiomp5\w*|libomp(?:\d+)?(?:\.x86_64)?(?:-[0-9a-f]+)?)\.(?:so|dylib|dll)\b")
GOMP = re.compile(r"libgomp(?:-[0-9a-f]+)?\.(?:so|dylib)\b")


@dataclass(frozen=True, slots=True)
class Torch:
    """A torch as its version.py describes it. `cuda` and `hip` are None where the build has none."""

    version: str
    cuda: str | None
    hip: str | None
    folder: Path


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment: release of Python, sys.platform, prefixes, module search path, {distribution: release},
    torch.
    """

    interpreter: str
    python: str
    platform: str
    prefixes: tuple[Path, ...]
    paths: tuple[Path, ...]
    packages: Mapping[str, str]
    torch: Torch | None


def _is_answer(said: object) -> bool:
    return isinstance(said, list) and len(said) == 4


def read_environment(interpreter: str) -> Installed:
    """An interpreter's environment, from its files. Raises ConfirmError if it cannot be started or prints no
    JSON.
    """
    if interpreter == sys.executable:
        release, platform, prefixes, paths = (
            list(sys.version_info[:3]),
            sys.platform,
            [sys.prefix, sys.base_prefix],
            list(sys.path),
        )
    else:
        release, platform, prefixes, paths = ask_python(interpreter, ["-c", WHERE], 30, _is_answer)
    folders = tuple(
        Path(path) for path in dict.fromkeys(paths) if os.path.isabs(path) and os.path.isdir(path)
    )
    roots = tuple(Path(prefix) for prefix in dict.fromkeys(prefixes))
    return Installed(
        interpreter,
        ".".join(map(str, release)),
        platform,
        roots,
        folders,
        packages(folders),
        torch_in(folders),
    )


def packages(folders: Iterable[Path]) -> dict[str, str]:
    """{distribution: release} by canonical name; of several the one that comes first on the search path, as
    in Python.
    """
    found: dict[str, str] = {}
    for folder in folders:
        for name in sorted(listdir_or_empty(folder)):
            match = DISTRIBUTION.match(name)
            if match:
                found.setdefault(
                    canonical(f"package.{match['name']}").removeprefix("package."), match["version"]
                )
    return found


def torch_in(folders: Iterable[Path]) -> Torch | None:
    """The torch that an import would find, from its version.py; None where there is none (or one without
    version.py).
    """
    for folder in folders:
        try:
            text = (folder / "torch" / "version.py").read_text(encoding="utf-8")
        except OSError:
            continue
        said = dict(
            re.findall(r"^(__version__|cuda|hip)\s*(?::[^=\n]*)?=\s*(?:'([^'\n]*)'|None)", text, re.MULTILINE)
        )
        if said.get("__version__"):
            return Torch(
                said["__version__"], said.get("cuda") or None, said.get("hip") or None, folder / "torch"
            )
    return None


def openmp(installed: Installed) -> list[str]:
    """Paths of the OpenMP run-times in the environment: where wheels (x.libs, x/.dylibs, torch/lib) and conda
    put them.
    """
    found: dict[str, None] = {}
    for folder in library_folders(installed):
        for name in listdir_or_empty(folder):
            if KMP.match(name) or GOMP.match(name):
                found[os.path.realpath(folder / name)] = None
    return sorted(found)


def count_openmp(files: Sequence[str]) -> int:
    """How many run-times these files are: each of Intel's or LLVM's, and one for all copies of libgomp."""
    base = [os.path.basename(file) for file in files]
    return sum(1 for name in base if KMP.match(name)) + any(GOMP.match(name) for name in base)


def library_folders(installed: Installed) -> Iterator[Path]:
    prefix = installed.prefixes[0] if installed.prefixes else None
    if prefix:
        if prefix == installed.prefixes[-1] and not (prefix / "conda-meta").is_dir():
            prefix = None  # a system-wide Python: /usr/lib is no part of an environment
        else:
            yield prefix / "lib"
            yield prefix / "Library" / "bin"
    for folder in installed.paths:
        if folder.name not in ("site-packages", "dist-packages"):
            continue
        for name in listdir_or_empty(folder):
            if name.endswith(".libs"):
                yield folder / name
            elif "." not in name and name != "__pycache__":
                for part in (".libs", ".dylibs", "lib"):
                    yield folder / name / part


def listdir_or_empty(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
