"""Whose Python runs a repro, and what that environment has.

torchwhy may live in an environment of its own; the proof belongs in the one whose torch failed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from .cleaning import plain
from .errors import ConfirmError
from .types import Needs

# The part of a path that every environment has. What stands before it on the line, up to a quote or a blank, is its root:
# 'File "/x/lib/...' of Python, 'File ~/x/lib/...' of IPython, '/x/lib/...py:12: UserWarning' of warnings.
SITE_PACKAGES = re.compile(r"[/\\]lib(?:64)?[/\\](?:python(\d(?:\.\d+)?)[/\\])?(?:site|dist)-packages[/\\]", re.IGNORECASE)
LONGEST_ROOT = 400

# Runs in the other environment: plain Python of any release that torch supports, one JSON object on the last line.
PROBE = r"""
import json, os, platform, sys
devices = sys.argv[1:] != ["build"]
found = {"python": platform.python_version(), "platform": sys.platform}
try:
    import torch
    found["torch"] = torch.__version__
    found["torch_file"] = torch.__file__
    found["cuda"] = torch.version.cuda
    if hasattr(torch._C, "_cuda_getArchFlags"):
        found["archs"] = torch._C._cuda_getArchFlags()
    found["gpus"] = torch.cuda.device_count() if devices and (torch.version.cuda or getattr(torch.version, "hip", None)) else 0
    if found["gpus"]:
        found["capability"] = ".".join(map(str, torch.cuda.get_device_capability(0)))
        found["device"] = torch.cuda.get_device_name(0)
except BaseException as error:
    found["torch_error"] = "%s: %s" % (type(error).__name__, error)
if not devices and found.get("cuda"):
    try:
        found["cudnn"] = torch.backends.cudnn.version()
    except BaseException as error:
        found["cudnn_error"] = "%s: %s" % (type(error).__name__, error)
try:
    from importlib.metadata import distributions
    found["packages"] = {d.metadata["Name"]: d.version for d in distributions() if d.metadata and d.metadata["Name"]}
except Exception:
    found["packages"] = {}
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """What an environment has, as its own Python told it."""

    interpreter: str
    python: str
    platform: str
    torch: str | None = None
    torch_error: str | None = None
    cuda: str | None = None
    gpus: int = 0
    capability: str | None = None
    device: str | None = None
    packages: Mapping[str, str] = field(default_factory=dict)
    archs: str | None = None
    cudnn: int | None = None
    cudnn_error: str | None = None


@dataclass(frozen=True, slots=True)
class Located:
    """An interpreter and why it was taken: the key in words.py; `missed` are environments that were named but not taken."""

    path: str
    chosen: str
    missed: tuple[str, ...] = ()


def child_env(env: Mapping[str, str]) -> dict[str, str]:
    """The environment for another Python: what the user set, less what is torchwhy's own.

    PYTHONPATH stays (clusters bring torch in by it), but for the folders that hold this package or its environment: they
    would hand their packages to a Python that has others. PYTHONHOME is only right for the Python that it was set for.
    """
    kept = {name: value for name, value in env.items() if name not in ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__")}
    above, own = Path(__file__).resolve().parent.parent, Path(sys.prefix).resolve()
    in_venv = sys.prefix != sys.base_prefix
    paths = []
    for name in filter(None, env.get("PYTHONPATH", "").split(os.pathsep)):
        folder = Path(name).resolve()
        if folder != above and not (in_venv and folder.is_relative_to(own)):
            paths.append(name)
    return {**kept, "PYTHONPATH": os.pathsep.join(paths)} if paths else kept


def find_python(given: str | None, paste: str | None) -> str:
    """The interpreter of `locate`. Raises ConfirmError where `given` is no program."""
    return locate(given, paste).path


def locate(given: str | None, paste: str | None) -> Located:
    """The interpreter: `given`, else the environment that the paste's paths name if it is here, else VIRTUAL_ENV or
    CONDA_PREFIX (if torch is in there), else our own. Raises ConfirmError where `given` is no program.
    """
    if given:
        return Located(_given(given), "python_given")
    missed: list[str] = []
    for root, release in environments_in(paste or ""):
        found = _python_under(root, release) if root.is_absolute() else None
        if found and _trusted(found):
            return Located(found, "python_paste")
        missed.append(str(root))
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        root_name = os.environ.get(name)
        found = _python_under(Path(root_name)) if root_name else None
        if found and _has_torch(Path(root_name or "")):
            return Located(found, f"python_{name.lower()}", tuple(missed))
        if root_name:
            missed.append(root_name)
    return Located(sys.executable, "python_own", tuple(missed))


def _given(name: str) -> str:
    """The program that `--python` names: a program, or the folder of an environment. Raises ConfirmError."""
    path = shutil.which(name) or (name if os.path.isfile(name) else None) or _python_under(Path(name))
    if path:
        return path
    what = "no such program"
    if os.path.isdir(name):
        what = "a folder without a Python in it"
    elif os.path.islink(name):
        what = f"a link to {os.path.realpath(name)}, which is not there: its environment is broken"
    raise ConfirmError(f"--python {name}: {what}; give the Python whose torch failed")


def answer(interpreter: str, words: Sequence[str], seconds: float) -> Any:
    """What a Python prints last on standard output, as JSON. Raises ConfirmError, in one line, where that is nothing.

    It runs from the root folder (no torch.py of somebody's folder is met) and in `child_env`.
    """
    try:
        done = subprocess.run(
            [interpreter, *words], capture_output=True, timeout=seconds, check=False, cwd=os.path.abspath(os.sep), env=child_env(os.environ),
            stdin=subprocess.DEVNULL, encoding="utf-8", errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise ConfirmError(f"{interpreter} did not answer within {seconds:g} s") from None
    except OSError as error:
        program = " (the program that its first line names)" if isinstance(error, FileNotFoundError) and os.path.isfile(interpreter) else ""
        raise ConfirmError(f"{interpreter} cannot be started: {error.strerror}{program}") from error
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        ended = f"killed by signal {-done.returncode}" if done.returncode < 0 else f"exit status {done.returncode}"
        said = " ".join(plain(done.stderr or done.stdout).split())
        raise ConfirmError(f"{interpreter} did not answer as a Python does ({ended})" + (f": {said[:300]}" if said else "")) from None


def environments_in(paste: str) -> list[tuple[Path, str | None]]:
    """(root, Python release) of the environments that a paste's paths name, in order of first appearance.

    A path of another system (C:\\ on Linux) is no absolute path here, so it names nothing on this machine.
    """
    found: dict[tuple[str, str | None], None] = {}
    for match in SITE_PACKAGES.finditer(paste):
        before = paste[max(0, match.start() - LONGEST_ROOT) : match.start()].rsplit("\n", 1)[-1]
        root = before.rsplit('"', 1)[-1] if before.count('"') % 2 else re.split(r"[\s\"'`(=]", before)[-1]
        if root.startswith(("~/", "~\\")):
            root = os.path.expanduser(root)
        if root:
            found[root, match[1]] = None
    return [(Path(root), release) for root, release in found]


def _python_under(root: Path, release: str | None = None) -> str | None:
    """The interpreter of an environment. Where the root has none (~/.local, Debian's dist-packages), that release's on PATH."""
    exact = (f"bin/python{release}",) if release else ()
    for part in (*exact, "bin/python", "bin/python3", "Scripts/python.exe", "python.exe"):
        if os.access(root / part, os.X_OK) and (root / part).is_file():
            return str(root / part)
    shared = root.is_dir() and release and any((root / "lib" / f"python{release}").glob("*-packages"))
    return shutil.which(f"python{release}") if shared else None


def _trusted(program: str) -> bool:
    """Whether a program that only a paste names may be started: nobody else could have put it there.

    Refused: below a folder that everybody may write to (/tmp), unless all of its path is root's or the user's own.
    """
    if not hasattr(os, "getuid"):
        return True
    path = Path(os.path.abspath(program))
    steps = [step.lstat() for step in (path, *path.parents)]
    return all(step.st_uid in (0, os.getuid()) for step in steps) or not any(step.st_mode & 0o002 for step in steps[1:])


def _has_torch(root: Path) -> bool:
    try:
        if "include-system-site-packages = true" in (root / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace").lower():
            return True  # torch may be in the base environment
    except OSError:
        pass
    names = ("torch", "torch-*.dist-info", "torch.egg-link")
    return any((root / "Lib/site-packages" / name).exists() or any(root.glob(f"lib*/python*/site-packages/{name}")) for name in names)


@lru_cache(maxsize=16)
def probe(interpreter: str, devices: bool = True) -> Probe:
    """Ask an interpreter what it has (one process, 3 to 10 s with torch). Raises ConfirmError if it cannot start.

    devices=False asks about the build alone: the CUDA driver is not touched.
    """
    found = answer(interpreter, ["-c", PROBE, *([] if devices else ["build"])], 180)
    return Probe(
        interpreter, found["python"], found["platform"], found.get("torch"), found.get("torch_error"), found.get("cuda"),
        found.get("gpus", 0), found.get("capability"), found.get("device"), found.get("packages", {}),
        found.get("archs"), found.get("cudnn"), found.get("cudnn_error"),
    )  # fmt: skip


PLATFORMS = {"linux": "linux", "windows": "win32", "macos": "darwin"}


def unmet(needs: Needs, probe: Probe) -> str:
    """Why a repro cannot run in that environment, in one line ("" where it can)."""
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version

    if needs.platform and PLATFORMS.get(needs.platform, needs.platform) != probe.platform:
        return f"needs {needs.platform}; this is {probe.platform}"
    if needs.python and Version(probe.python) not in SpecifierSet(needs.python):
        return f"needs Python {needs.python}; {probe.interpreter} is {probe.python}"
    if probe.torch is None:
        return f"torch cannot be imported by {probe.interpreter}: {probe.torch_error}"
    release = Version(probe.torch).base_version
    if needs.torch and not SpecifierSet(needs.torch).contains(release, prereleases=True):
        return f"shows only with torch {needs.torch}; this is {release}"
    if needs.cuda and probe.gpus == 0:
        return "needs a GPU; torch sees none here" + ("" if probe.cuda else " (a CPU build)")
    if needs.gpus > probe.gpus:
        return f"needs {needs.gpus} GPUs; torch sees {probe.gpus}"
    if needs.capability and Version(probe.capability or "0") < Version(needs.capability):
        return f"needs compute capability {needs.capability}; this GPU has {probe.capability}"
    have = {name.lower().replace("_", "-") for name in probe.packages}
    missing = [name for name in needs.packages if name.lower().replace("_", "-") not in have]
    if missing:
        return f"needs the package {', '.join(missing)} in {probe.interpreter}'s environment"
    if needs.compiler and not (shutil.which("g++") or shutil.which("clang++") or shutil.which("cl")):
        return "needs a C++ compiler; none is on PATH"
    return ""
