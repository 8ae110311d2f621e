"""Whether a machine has what an entry's script needs."""

from __future__ import annotations

import shutil

from torchwhy.knowledge.entry import Needs
from torchwhy.machine.torch_probe import Probe

COMPILERS = ("g++", "clang++", "cl")
PLATFORMS = {"linux": "linux", "windows": "win32", "macos": "darwin"}


def unmet(needs: Needs, probe: Probe) -> str:
    """Why a repro cannot run in that environment, in one line ("" where it can)."""
    return _unmet_platform(needs, probe) or _unmet_gpu(needs, probe) or _unmet_software(needs, probe)


def _unmet_platform(needs: Needs, probe: Probe) -> str:
    """The system, Python and torch."""
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
    return ""


def _unmet_gpu(needs: Needs, probe: Probe) -> str:
    from packaging.version import Version

    if needs.cuda and probe.gpus == 0:
        return "needs a GPU; torch sees none here" + ("" if probe.cuda else " (a CPU build)")
    if needs.gpus > probe.gpus:
        return f"needs {needs.gpus} GPUs; torch sees {probe.gpus}"
    if needs.capability and Version(probe.capability or "0") < Version(needs.capability):
        return f"needs compute capability {needs.capability}; this GPU has {probe.capability}"
    return ""


def _unmet_software(needs: Needs, probe: Probe) -> str:
    """Packages beside torch, and a compiler."""
    have = {name.lower().replace("_", "-") for name in probe.packages}
    missing = [name for name in needs.packages if name.lower().replace("_", "-") not in have]
    if missing:
        return f"needs the package {', '.join(missing)} in {probe.interpreter}'s environment"
    if needs.compiler and not any(map(shutil.which, COMPILERS)):
        return "needs a C++ compiler; none is on PATH"
    return ""
