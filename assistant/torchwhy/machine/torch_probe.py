"""What another Python reports of itself and of its torch, by importing it in a process of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache

from .interpreters import ask_python

PROBE_TIMEOUT_S = 180.0
# Runs in the other environment: plain Python of any release that torch supports, one JSON object on the last
# line.
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
    built = torch.version.cuda or getattr(torch.version, "hip", None)
    found["gpus"] = torch.cuda.device_count() if devices and built else 0
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
    named = [d for d in distributions() if d.metadata and d.metadata["Name"]]
    found["packages"] = {d.metadata["Name"]: d.version for d in named}
except Exception:
    found["packages"] = {}
try:
    mapped = {line.split(None, 5)[-1].strip() for line in open("/proc/self/maps") if "/" in line}
    found["places"] = sorted({os.path.dirname(name) for name in mapped if name.startswith("/")})
except OSError:
    pass
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
    places: tuple[str, ...] = ()
    """The folders of all that it had loaded, libraries of CUDA and of clusters among them (Linux)."""


ANSWERS = tuple(each.name for each in fields(Probe) if each.name not in ("interpreter", "places"))


def _is_answer(said: object) -> bool:
    return isinstance(said, dict) and all(isinstance(said.get(name), str) for name in ("python", "platform"))


@lru_cache(maxsize=16)
def probe(interpreter: str, devices: bool = True) -> Probe:
    """Ask an interpreter what it has (one process, 3 to 10 s with torch). Raises ConfirmError if it cannot
    start.

    devices=False asks about the build alone: the CUDA driver is not touched.
    """
    found = ask_python(
        interpreter, ["-c", PROBE, *([] if devices else ["build"])], PROBE_TIMEOUT_S, _is_answer
    )
    told = {name: found[name] for name in ANSWERS if name in found}
    return Probe(interpreter, **told, places=tuple(found.get("places", ())))
