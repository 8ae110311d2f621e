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
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from .errors import ConfirmError
from .types import Needs

SITE_PACKAGES = re.compile(r'File "([^"\n]+?)[/\\](?:lib|Lib)[/\\](?:python(\d+\.\d+)[/\\])?site-packages[/\\]')

# Runs in the other environment: plain Python of any release that torch supports, one JSON object on the last line.
PROBE = r"""
import json, os, platform, sys
found = {"python": platform.python_version(), "platform": sys.platform}
try:
    import torch
    found["torch"] = torch.__version__
    found["torch_file"] = torch.__file__
    found["cuda"] = torch.version.cuda
    found["gpus"] = torch.cuda.device_count() if torch.version.cuda or getattr(torch.version, "hip", None) else 0
    if found["gpus"]:
        found["capability"] = ".".join(map(str, torch.cuda.get_device_capability(0)))
        found["device"] = torch.cuda.get_device_name(0)
except BaseException as error:
    found["torch_error"] = "%s: %s" % (type(error).__name__, error)
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


def find_python(given: str | None, paste: str | None) -> str:
    """The interpreter: `given`, else the environment that the paste's paths name if it is here, else VIRTUAL_ENV or
    CONDA_PREFIX, else our own. Raises ConfirmError where `given` is no program.
    """
    if given:
        path = shutil.which(given) or (given if os.path.isfile(given) else None)
        if not path:
            raise ConfirmError(f"--python {given}: no such program; give the Python whose torch failed")
        return path
    for root in environments_in(paste or ""):
        found = _python_under(root)
        if found:
            return found
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        root_name = os.environ.get(name)
        found = _python_under(Path(root_name)) if root_name else None
        if found and _has_torch(Path(root_name or "")):
            return found
    return sys.executable


def environments_in(paste: str) -> list[Path]:
    """Roots of the environments that a paste's tracebacks name, in order of first appearance."""
    return [Path(root) for root in dict.fromkeys(found[0] for found in SITE_PACKAGES.findall(paste))]


def _python_under(root: Path) -> str | None:
    for part in ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe"):
        if os.access(root / part, os.X_OK) and (root / part).is_file():
            return str(root / part)
    return None


def _has_torch(root: Path) -> bool:
    return any(root.glob("lib/python*/site-packages/torch")) or (root / "Lib/site-packages/torch").is_dir()


@lru_cache(maxsize=16)
def probe(interpreter: str) -> Probe:
    """Ask an interpreter what it has (one process, 3 to 10 s with torch). Raises ConfirmError if it cannot start."""
    try:
        done = subprocess.run(
            [interpreter, "-c", PROBE], capture_output=True, text=True, timeout=180, check=False, cwd=os.path.expanduser("~"),
        )  # fmt: skip
        found = json.loads(done.stdout.strip().splitlines()[-1])
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfirmError(f"{interpreter} cannot be started: {error}") from error
    except (ValueError, IndexError) as error:
        raise ConfirmError(f"{interpreter} did not answer: {done.stderr.strip()[-300:]}") from error
    return Probe(
        interpreter, found["python"], found["platform"], found.get("torch"), found.get("torch_error"), found.get("cuda"),
        found.get("gpus", 0), found.get("capability"), found.get("device"), found.get("packages", {}),
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
