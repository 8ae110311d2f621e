"""This machine's facts, each with where it was read or why it is unknown.

Nothing is changed, no CUDA context is created and torch is not imported in this process: the people who ask have a full
GPU or a broken torch. Linux tells most of it under /proc and /sys; elsewhere those facts are unknown and say so.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import gpus, linux, toolchain
from .cleaning import plain
from .environment import locate, probe
from .errors import ConfirmError
from .facts import FACT_NAMES, Fact, Facts, Gpu
from .installed import Installed, count_openmp, look, openmp
from .private import shorten, variable

ENV_PREFIXES = ("NCCL_", "TORCH", "CUDA_", "CUDNN_", "CUBLAS_", "OMP_", "KMP_", "MKL_", "GLOO_", "PYTORCH_", "TRITON_", "NVIDIA_", "HIP_", "ROCR_", "HSA_")
ENV_NAMES = (
    "LD_LIBRARY_PATH", "LD_PRELOAD", "MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "OPENBLAS_NUM_THREADS",
    "PYTHONHASHSEED", "PYTHONPATH", "CXX", "CC", "GOMP_CPU_AFFINITY", "MALLOC_ARENA_MAX", "XLA_FLAGS",
)  # fmt: skip


def gather(
    *,
    python: str | None = None,
    paste: str | None = None,
    full: bool = False,
    root: Path = Path("/"),
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    nvml: Any = None,
) -> Facts:
    """Every fact of `facts.FACT_NAMES`. `full` also imports torch in the user's Python (seconds; a child process).

    `python` and `paste` choose the interpreter as `confirm` does. `root`, `env`, `cwd` and `nvml` are where to look:
    the machine's own by default. Raises ConfirmError where `python` is no program.
    """
    env = os.environ if env is None else env
    found: dict[str, Fact] = {}
    notes: list[tuple[str, str]] = []
    located = locate(python, paste)
    if located.missed:
        notes.append(("note_missed", ", ".join(shorten(plain(name)) for name in located.missed[:3])))
    driver = gpus.read(nvml)
    hides = linux.hides_processes(root, env)
    if hides:  # the driver's numbers are the host's: here they are other processes, or none
        cards = tuple(replace(gpu, users=tuple(replace(one, name="", own=None) for one in gpu.users)) for gpu in driver.gpus)
        driver = replace(driver, gpus=cards)
    found.update(gpu_facts(driver, hides, root))
    installed = None
    try:
        installed = look(located.path)
        found.update(software_facts(installed))
        found.update(library_facts(installed, env))
    except ConfirmError as error:
        notes.append(("note_error", shorten(str(error))))
    if full:
        notes += full_facts(located.path, found, driver)
    found.update(linux.memory_facts(root), **linux.system_facts(root, env))
    found["platform"] = Fact({"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux"), "sys.platform")
    found["cpu.threads_env"] = Fact(env.get("OMP_NUM_THREADS"), "OMP_NUM_THREADS")
    found.update(toolchain.compiler(env))
    found["library.nvcc"] = toolchain.toolkit(env, root)
    found["shadow.torch"] = shadow(cwd, installed is not None and installed.torch is not None)
    found["disk.free"] = disk()
    for name in sorted(env):
        if (name in ENV_NAMES or name.startswith(ENV_PREFIXES)) and not name.startswith("TORCHWHY_"):
            found[f"env.{name}"] = Fact(variable(name, plain(env[name]))[:300], "os.environ")
    for name in FACT_NAMES:
        found.setdefault(name, Fact(unknown="fact_no_python" if name.startswith(("torch.", "python.", "library.")) else "fact_not_looked"))
    absent = (("package.",) if installed else ()) + tuple(f"env.{name}" for name in ENV_NAMES + ENV_PREFIXES)
    return Facts("machine", found, absent, shorten(located.path), located.chosen, driver.gpus, tuple(notes))


def gpu_facts(driver: gpus.Driver, hides_processes: bool, root: Path) -> dict[str, Fact]:
    """Facts of the GPU with most free memory, and of the driver."""
    names = [name for name in FACT_NAMES if name.startswith("gpu.") and name not in ("gpu.xid", "gpu.supported")]
    silent = Fact(unknown="fact_driver_silent")
    found = {name: Fact(value, "NVML") if value else silent for name, value in (("driver.version", driver.version), ("driver.cuda", driver.cuda))}
    if driver.error:
        known = linux.gpus_without_nvml(root)
        detail = shorten(driver.error)
        unknown = Fact(unknown="fact_no_nvml", detail=detail)
        absent = driver.missing and known == 0
        found = {name: Fact(None, detail) if absent else unknown for name in (*names, "driver.version", "driver.cuda")}
        found["gpu.count"] = Fact(known or 0, "/proc/driver/nvidia, /sys/class/kfd" if known else detail) if absent or known else unknown
        found["gpu.supported"] = Fact(None, detail) if absent else unknown
        release, models = linux.nvidia_by_kernel(root)
        if release:
            found["driver.version"] = Fact(release, "/proc/driver/nvidia/version")
        if len(set(models)) == 1:
            found["gpu.name"] = Fact(models[0], "/proc/driver/nvidia/gpus")
        return found
    found["gpu.count"] = Fact(len(driver.gpus), "NVML")
    best = best_gpu(driver.gpus)
    if best is None:
        found.update({name: Fact(None, "NVML") for name in names if name != "gpu.count"}, **{"gpu.supported": Fact(None, "NVML")})
        return found
    told = {
        "gpu.name": best.name, "gpu.memory_total": best.memory_total, "gpu.memory_free": best.memory_free, "gpu.memory_others": best.memory_used,
        "gpu.processes": best.processes, "gpu.compute_mode": best.compute_mode, "gpu.capability": best.capability,
    }  # fmt: skip
    how = f"NVML, GPU {best.index}"
    found.update({name: Fact(value, how) if value is not None else silent for name, value in told.items()})
    if best.processes == 0 and hides_processes:
        found["gpu.processes"] = Fact(unknown="fact_container_processes")
    found["gpu.supported"] = Fact(unknown="fact_full") if best.capability else silent
    return found


def best_gpu(all_gpus: tuple[Gpu, ...]) -> Gpu | None:
    """The GPU with most free memory; the first of equals."""
    return max(all_gpus, key=lambda gpu: (gpu.memory_free or 0, -gpu.index), default=None)


def software_facts(installed: Installed) -> dict[str, Fact]:
    """Python, packages and the torch build, from files."""
    found = {"python.version": Fact(installed.python, "sys.version_info")}
    for name in installed.packages:
        found[f"package.{name}"] = Fact(installed.packages[name], "site-packages")
    torch = installed.torch
    if torch is None:
        listed = installed.packages.get("torch")
        missing = Fact(unknown="fact_full") if listed else Fact(unknown="fact_no_torch")
        found.update(dict.fromkeys(("torch.version", "torch.cuda", "torch.cudnn", "torch.rocm"), missing))
        found["torch.version"] = Fact(listed, "site-packages")
        return found
    how = "torch/version.py"
    found["torch.version"], found["torch.cuda"] = Fact(torch.version, how), Fact(torch.cuda, how)
    found["torch.rocm"] = Fact("yes" if torch.hip else "no", how)
    wheels = [name for name in installed.packages if name.startswith("nvidia-cudnn-cu")]
    if wheels:
        found["torch.cudnn"] = Fact(installed.packages[wheels[0]], wheels[0])
    else:
        found["torch.cudnn"] = Fact(None, how) if torch.cuda is None else Fact(unknown="fact_full")
    return found


def full_facts(interpreter: str, found: dict[str, Fact], driver: gpus.Driver) -> list[tuple[str, str]]:
    """Facts that only a running torch tells, put into `found`; returns notes about what went wrong."""
    try:
        told = probe(interpreter, False)
    except ConfirmError as error:
        return [("note_error", shorten(str(error)))]
    if told.torch is None:
        return [("note_import", shorten(plain(told.torch_error or ""))[:300])]
    notes = []
    found["torch.version"], found["torch.cuda"] = Fact(told.torch, "torch.__version__"), Fact(told.cuda, "torch.version.cuda")
    if told.cudnn:
        found["torch.cudnn"] = Fact(cudnn_release(told.cudnn), "torch.backends.cudnn.version()")
    elif told.cudnn_error:
        notes.append(("note_cudnn", shorten(plain(told.cudnn_error))[:300]))
    best = best_gpu(driver.gpus)
    if best is not None and best.capability:
        if told.archs:
            found["gpu.supported"] = Fact("yes" if gpus.has_code_for(best.capability, told.archs) else "no", f"arch list: {told.archs}")
        elif told.cuda is None:
            found["gpu.supported"] = Fact("no", "torch.version.cuda")
    return notes


def cudnn_release(number: int) -> str:
    """cuDNN's own number as a release: 90100 -> 9.1.0, 8902 -> 8.9.2."""
    if number >= 90000:
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    return f"{number // 1000}.{number // 100 % 10}.{number % 100}"


def library_facts(installed: Installed, env: Mapping[str, str]) -> dict[str, Fact]:
    """Libraries that come before torch's own, or twice."""
    files = openmp(installed)
    shown = ", ".join("/".join(Path(file).parts[-2:]) for file in files[:4])
    found = {"library.openmp": Fact(count_openmp(files), shown or "site-packages")}
    if sys.platform == "win32":
        found["library.cudnn_found"] = Fact(unknown="fact_platform")
        return found
    own = tuple(os.path.realpath(path) for path in installed.paths if path.name in ("site-packages", "dist-packages"))
    found["library.cudnn_found"] = Fact(None, "LD_LIBRARY_PATH")
    for folder in env.get("LD_LIBRARY_PATH", "").split(os.pathsep):
        first = next((str(path) for path in sorted(Path(folder).glob("libcudnn*.so*"))), None) if folder else None
        if first:
            if not os.path.realpath(first).startswith(own):
                found["library.cudnn_found"] = Fact(shorten(first), "LD_LIBRARY_PATH")
            break
    return found


def shadow(cwd: Path | None, installed: bool) -> Fact:
    """Whether the current directory holds something that `import torch` finds before the installed one.

    A folder without __init__.py is a namespace package, which an installed torch beats.
    """
    try:
        here = Path.cwd() if cwd is None else cwd
    except OSError as error:  # the directory was deleted under us
        return Fact(unknown="fact_unreadable", detail=error.strerror or "")
    names = ["torch.py", "torch/__init__.py"] + ([] if installed else ["torch"])
    hit = next((name for name in names if (here / name).exists()), None) if here.name not in ("site-packages", "dist-packages") else None
    return Fact("yes" if hit else "no", f"./{hit}" if hit else "./")


def disk() -> Fact:
    try:
        folder = tempfile.gettempdir()
        return Fact(shutil.disk_usage(folder).free, shorten(folder))
    except OSError as error:
        return Fact(unknown="fact_unreadable", detail=error.strerror or "")
