"""The NVIDIA driver's own account of its GPUs, through NVML: no CUDA context, no memory taken, works beside a full GPU."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .facts import Gpu

PATIENCE = 5.0  # seconds; a GPU that fell off the bus can keep the driver from answering at all
COMPUTE_MODES = {0: "default", 1: "exclusive", 2: "prohibited", 3: "exclusive"}


@dataclass(frozen=True, slots=True)
class Driver:
    """What NVML told. `error`: why it told nothing; `missing`: because no NVIDIA driver is installed or loaded."""

    gpus: tuple[Gpu, ...] = ()
    version: str | None = None
    cuda: str | None = None
    error: str = ""
    missing: bool = False


def read(nvml: Any = None) -> Driver:
    """Ask NVML (`nvml`: the module to ask; default pynvml). Never raises; a driver that hangs is left after PATIENCE."""
    if nvml is None:
        try:
            import pynvml
        except ImportError:
            return Driver(error="the package nvidia-ml-py is not installed")
        nvml = pynvml
    answers: list[Driver] = []
    thread = threading.Thread(target=lambda: answers.append(_ask(nvml)), daemon=True, name="nvml")
    thread.start()
    thread.join(PATIENCE)
    return answers[0] if answers else Driver(error=f"the driver did not answer within {PATIENCE:g} s")


def _ask(nvml: Any) -> Driver:
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        absent = [getattr(nvml, name, ()) for name in ("NVMLError_LibraryNotFound", "NVMLError_DriverNotLoaded")]
        return Driver(error=f"NVML: {error}", missing=any(kind and isinstance(error, kind) for kind in absent))
    except OSError as error:
        return Driver(error=f"NVML: {error}")
    try:
        release = _or_none(nvml, lambda: nvml.nvmlSystemGetCudaDriverVersion_v2())
        cuda = f"{release // 1000}.{release % 1000 // 10}" if release else None
        gpus = tuple(_gpu(nvml, index) for index in range(nvml.nvmlDeviceGetCount()))
        return Driver(gpus, _text(_or_none(nvml, lambda: nvml.nvmlSystemGetDriverVersion())), cuda)
    except nvml.NVMLError as error:
        return Driver(error=f"NVML: {error}")
    finally:
        _or_none(nvml, lambda: nvml.nvmlShutdown())


def _gpu(nvml: Any, index: int) -> Gpu:
    """One GPU; what it does not tell (a part of a MIG card, an integrated GPU, a lost one) is None."""
    handle = _or_none(nvml, lambda: nvml.nvmlDeviceGetHandleByIndex(index))
    if handle is None:
        return Gpu(index, "?")
    # Version 2 keeps the driver's own reserve out of `used`; older drivers know only the first.
    second = getattr(nvml, "nvmlMemory_v2", None)
    memory = _or_none(nvml, lambda: nvml.nvmlDeviceGetMemoryInfo(handle, version=second)) if second is not None else None
    memory = memory or _or_none(nvml, lambda: nvml.nvmlDeviceGetMemoryInfo(handle))
    computing = _or_none(nvml, lambda: nvml.nvmlDeviceGetComputeRunningProcesses(handle))
    drawing = _or_none(nvml, lambda: nvml.nvmlDeviceGetGraphicsRunningProcesses(handle))
    known = [entries for entries in (computing, drawing) if entries is not None]
    capability = _or_none(nvml, lambda: nvml.nvmlDeviceGetCudaComputeCapability(handle))
    return Gpu(
        index, _text(_or_none(nvml, lambda: nvml.nvmlDeviceGetName(handle))) or "?",
        memory.total if memory else None, memory.free if memory else None, memory.used if memory else None,
        len({process.pid for entries in known for process in entries}) if known else None,
        COMPUTE_MODES.get(_or_none(nvml, lambda: nvml.nvmlDeviceGetComputeMode(handle))),
        ".".join(map(str, capability)) if capability else None,
    )  # fmt: skip


def _or_none(nvml: Any, ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except (nvml.NVMLError, AttributeError):  # AttributeError: an older nvidia-ml-py without this call
        return None


def _text(value: Any) -> str | None:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def has_code_for(capability: str, archs: str) -> bool:
    """Whether a build with this arch list ("sm_80 sm_90a compute_90") runs on a GPU of this capability.

    sm_XY runs on its own major release from minor Y on (so does sm_XYf), compute_XY (PTX) is compiled for every later
    GPU, a final `a` (sm_90a) binds the code to exactly that capability.
    """
    major, minor = (int(part) for part in capability.split(".")[:2])
    for kind, digits, letter in re.findall(r"\b(sm|compute)_(\d{2,3})([af]?)\b", archs):
        own = (int(digits[:-1]), int(digits[-1]))
        if letter == "a":
            fits = own == (major, minor)
        elif kind == "compute" and not letter:
            fits = own <= (major, minor)
        else:
            fits = own[0] == major and own[1] <= minor
        if fits:
            return True
    return False
