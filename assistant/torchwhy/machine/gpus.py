"""The NVIDIA driver's own account of its GPUs, through NVML: no CUDA context, no memory taken, works beside a
full GPU.

Where a card is cut up (MIG), its instances stand for it: a program computes on one of them, never on the
card.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torchwhy.knowledge.facts import Gpu, Process

NVML_TIMEOUT_S = 5.0  # seconds; a GPU that fell off the bus can keep the driver from answering at all
COMPUTE_MODES = {0: "default", 1: "exclusive", 2: "prohibited", 3: "exclusive"}
NO_VALUE = (
    2**64 - 1
)  # NVML_VALUE_NOT_AVAILABLE: what Windows' display driver model gives for a process's memory


@dataclass(frozen=True, slots=True)
class Driver:
    """What NVML told. `error`: why it told nothing; `missing`: because no NVIDIA driver is installed or
    loaded.
    """

    gpus: tuple[Gpu, ...] = ()
    version: str | None = None
    cuda: str | None = None
    error: str = ""
    missing: bool = False


def read() -> Driver:
    """Ask NVML. Never raises; a driver that hangs is left after NVML_TIMEOUT_S."""
    try:
        import pynvml as nvml
    except ImportError:
        return Driver(error="the package nvidia-ml-py is not installed")
    answers: list[Driver] = []
    thread = threading.Thread(target=lambda: answers.append(_ask(nvml)), daemon=True, name="nvml")
    thread.start()
    thread.join(NVML_TIMEOUT_S)
    return answers[0] if answers else Driver(error=f"the driver did not answer within {NVML_TIMEOUT_S:g} s")


def _ask(nvml: Any) -> Driver:
    try:
        nvml.nvmlInit()
    except _errors(nvml) as error:
        absent = [
            getattr(nvml, name, ()) for name in ("NVMLError_LibraryNotFound", "NVMLError_DriverNotLoaded")
        ]
        return Driver(
            error=f"NVML: {error}", missing=any(kind and isinstance(error, kind) for kind in absent)
        )
    try:
        release = _or_none(nvml, lambda: nvml.nvmlSystemGetCudaDriverVersion_v2())
        cuda = f"{release // 1000}.{release % 1000 // 10}" if release else None
        gpus = tuple(gpu for index in range(nvml.nvmlDeviceGetCount()) for gpu in _card(nvml, index))
        return Driver(gpus, _text(_or_none(nvml, lambda: nvml.nvmlSystemGetDriverVersion())), cuda)
    except _errors(nvml) as error:
        return Driver(error=f"NVML: {error}")
    finally:
        _or_none(nvml, lambda: nvml.nvmlShutdown())


def _card(nvml: Any, index: int) -> Iterator[Gpu]:
    """A card as one GPU, or its MIG instances. One that may not be opened (another container's) has a name of
    `?`.
    """
    card = _or_none(nvml, lambda: nvml.nvmlDeviceGetHandleByIndex(index))
    if card is None:
        yield Gpu(index, "?", usable=False)
        return
    capability = _or_none(nvml, lambda: nvml.nvmlDeviceGetCudaComputeCapability(card))
    mode = _or_none(nvml, lambda: nvml.nvmlDeviceGetMigMode(card))
    if not mode or mode[0] != 1:
        yield _gpu(nvml, card, index, capability)
        return
    count = _or_none(nvml, lambda: nvml.nvmlDeviceGetMaxMigDeviceCount(card)) or 0

    def instance(slot: int) -> Any:
        return _or_none(nvml, lambda: nvml.nvmlDeviceGetMigDeviceHandleByIndex(card, slot))

    instances = [handle for slot in range(count) if (handle := instance(slot)) is not None]
    for handle in instances:
        yield _gpu(nvml, handle, index, capability)
    if not instances:  # CUDA finds nothing on it, so what is free there is of no use
        name = _text(_or_none(nvml, lambda: nvml.nvmlDeviceGetName(card))) or "?"
        yield Gpu(index, f"{name} (MIG without an instance)", usable=False)


def _gpu(nvml: Any, handle: Any, index: int, capability: tuple[int, int] | None) -> Gpu:
    """One GPU or instance; what it does not tell (an integrated GPU, a virtual one, a lost one) is None."""
    # Version 2 keeps the driver's own reserve out of `used`; older drivers know only the first.
    second = getattr(nvml, "nvmlMemory_v2", None)
    memory = (
        _or_none(nvml, lambda: nvml.nvmlDeviceGetMemoryInfo(handle, version=second))
        if second is not None
        else None
    )
    memory = memory or _or_none(nvml, lambda: nvml.nvmlDeviceGetMemoryInfo(handle))
    known = [
        entries for kind in ("Compute", "Graphics") if (entries := _processes(nvml, kind, handle)) is not None
    ]
    users = {
        process.pid: process for entries in reversed(known) for process in entries
    }  # one that does both counts once
    mode = _or_none(nvml, lambda: nvml.nvmlDeviceGetComputeMode(handle))
    return Gpu(
        index,
        _text(_or_none(nvml, lambda: nvml.nvmlDeviceGetName(handle))) or "?",
        memory.total if memory else None,
        memory.free if memory else None,
        memory.used if memory else None,
        len(users) if known else None,
        COMPUTE_MODES.get(-1 if mode is None else mode),
        ".".join(map(str, capability)) if capability else None,
        _text(_or_none(nvml, lambda: nvml.nvmlDeviceGetUUID(handle))),
        tuple(_process(user) for user in users.values()),
    )


def _processes(nvml: Any, kind: str, handle: Any) -> list[Any] | None:
    """Who computes, or draws, on a GPU; None where the driver does not say. Drivers before R510 know only
    version 2.
    """
    for suffix in ("", "_v2"):
        name = f"nvmlDeviceGet{kind}RunningProcesses{suffix}"
        found = _or_none(nvml, lambda: getattr(nvml, name)(handle))  # noqa: B023 (called at once)
        if found is not None:
            return list(found)
    return None


def _process(told: Any) -> Process:
    """A process with what /proc says of it: inside a container the driver's number may be another one's, or
    nobody's.
    """
    memory = getattr(told, "usedGpuMemory", None)
    try:
        folder = Path("/proc", str(told.pid))
        name, own = (
            folder.joinpath("comm").read_text("utf-8", "replace").strip(),
            folder.stat().st_uid == os.getuid(),
        )
    except (OSError, AttributeError):  # AttributeError: Windows has no getuid
        name, own = "", None
    return Process(told.pid, None if memory in (None, NO_VALUE) else memory, name, own)


def _errors(nvml: Any, *more: type[Exception]) -> tuple[type[Exception], ...]:
    """What a call may raise. The mismatch (an old driver lacks the call) is no NVMLError in nvidia-ml-py."""
    return (nvml.NVMLError, getattr(nvml, "NVMLLibraryMismatchError", nvml.NVMLError), OSError, *more)


def _or_none(nvml: Any, ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except _errors(nvml, AttributeError):  # AttributeError: an older nvidia-ml-py without this call
        return None


def _text(value: Any) -> str | None:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def has_code_for(capability: str, archs: str) -> bool:
    """Whether a build with this arch list ("sm_80 sm_90a compute_90") runs on a GPU of this capability.

    sm_XY runs on its own major release from minor Y on (so does sm_XYf), compute_XY (PTX) is compiled for
    every later GPU, a final `a` (sm_90a) binds the code to exactly that capability.
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
