"""This machine's facts, each with where it was read or why it is unknown.

Nothing is changed, no CUDA context is created and torch is not imported in this process: the people who ask
have a full GPU or a broken torch. Linux tells most of it under /proc and /sys; elsewhere those facts are
unknown and say so.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from torchwhy.errors import ConfirmError
from torchwhy.knowledge.facts import Fact, Facts, Gpu
from torchwhy.knowledge.vocabulary import FACT_NAMES, PLATFORMS
from torchwhy.text.plain import plain
from torchwhy.text.whereabouts import shorten, variable

from . import gpus, linux, toolchain
from .installed import Installed, count_openmp, openmp, read_environment
from .interpreters import locate
from .torch_probe import probe

ENV_PREFIXES = (
    *("NCCL_", "TORCH", "CUDA_", "CUDNN_", "CUBLAS_", "OMP_", "KMP_", "MKL_", "GLOO_"),
    *("PYTORCH_", "TRITON_", "NVIDIA_", "HIP_", "ROCR_", "HSA_"),
)
ENV_NAMES = (
    *("LD_LIBRARY_PATH", "LD_PRELOAD", "MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "RANK", "LOCAL_RANK"),
    *("LOCAL_WORLD_SIZE", "OPENBLAS_NUM_THREADS", "PYTHONHASHSEED", "PYTHONPATH", "CXX", "CC"),
    *("GOMP_CPU_AFFINITY", "MALLOC_ARENA_MAX", "XLA_FLAGS"),
)
GPU_NAMES = tuple(
    name for name in FACT_NAMES if name.startswith("gpu.") and name not in ("gpu.xid", "gpu.supported")
)
SILENT_DRIVER = Fact(unknown="fact_driver_silent")
MAX_VALUE_CHARS = 300  # of a variable, or of an error


def machine_facts(
    *,
    python: str | None = None,
    full: bool = False,
    root: Path = Path("/"),
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Facts:
    """Every fact of `facts.FACT_NAMES`. `full` also imports torch in the user's Python (seconds; a child
    process).

    `python` chooses the interpreter as `confirm` does. `root`, `env` and `cwd` are where
    to look: the machine's own by default. Raises ConfirmError where `python` is no program.
    """
    env = os.environ if env is None else env
    located = locate(python, None)
    notes = []
    driver = gpus.read()
    hides = linux.hides_processes(root, env)
    if hides:
        driver = without_process_names(driver)
    facts = gpu_facts(driver, hides, root)
    installed = None
    try:
        installed = read_environment(located.path)
        facts.update(software_facts(installed))
        facts.update(library_facts(installed, env))
    except ConfirmError as error:
        notes.append(("note_error", shorten(str(error))))
    if full:
        notes += full_facts(located.path, facts, driver)
    facts.update(linux.memory_facts(root), **linux.system_facts(root, env))
    facts["platform"] = Fact(PLATFORMS.get(sys.platform, "linux"), "sys.platform")
    facts["cpu.threads_env"] = Fact(env.get("OMP_NUM_THREADS"), "OMP_NUM_THREADS")
    facts.update(toolchain.compiler(env))
    facts["library.nvcc"] = toolchain.toolkit(env, root)
    facts["shadow.torch"] = shadow(cwd, installed is not None and installed.torch is not None)
    facts["disk.free"] = disk()
    facts.update(variable_facts(env))
    for name in FACT_NAMES:
        needs_python = name.startswith(("torch.", "python.", "library."))
        facts.setdefault(name, Fact(unknown="fact_no_python" if needs_python else "fact_not_looked"))
    absent = (("package.",) if installed else ()) + tuple(f"env.{name}" for name in ENV_NAMES + ENV_PREFIXES)
    return Facts("machine", facts, absent, shorten(located.path), located.chosen, driver.gpus, tuple(notes))


def without_process_names(driver: gpus.Driver) -> gpus.Driver:
    """In a container the driver's process numbers are the host's: here they belong to other processes, or to
    none.
    """
    cards = tuple(
        replace(gpu, users=tuple(replace(user, name="", own=None) for user in gpu.users))
        for gpu in driver.gpus
    )
    return replace(driver, gpus=cards)


def variable_facts(env: Mapping[str, str]) -> dict[str, Fact]:
    """The variables that torch, CUDA and their libraries read; torchwhy's own are nobody's business."""
    names = [name for name in sorted(env) if name in ENV_NAMES or name.startswith(ENV_PREFIXES)]
    return {
        f"env.{name}": Fact(variable(name, plain(env[name]))[:MAX_VALUE_CHARS], "os.environ")
        for name in names
        if not name.startswith("TORCHWHY_")
    }


def gpu_facts(driver: gpus.Driver, hides_processes: bool, root: Path) -> dict[str, Fact]:
    """Facts of the GPU with most free memory, and of the driver."""
    if driver.error:
        return facts_without_nvml(driver, root)
    facts = {
        name: Fact(value, "NVML") if value else SILENT_DRIVER
        for name, value in (("driver.version", driver.version), ("driver.cuda", driver.cuda))
    }
    facts["gpu.count"] = Fact(len(driver.gpus), "NVML")
    best = best_gpu(driver.gpus)
    if best is None:
        names = [name for name in GPU_NAMES if name != "gpu.count"]
        return facts | dict.fromkeys((*names, "gpu.supported"), Fact(None, "NVML"))
    told = ("name", "memory_total", "memory_free", "processes", "compute_mode", "capability")
    values = {f"gpu.{name}": getattr(best, name) for name in told} | {"gpu.memory_others": best.memory_used}
    how = f"NVML, GPU {best.index}"
    facts |= {
        name: Fact(value, how) if value is not None else SILENT_DRIVER for name, value in values.items()
    }
    if best.processes == 0 and hides_processes:
        facts["gpu.processes"] = Fact(unknown="fact_container_processes")
    facts["gpu.supported"] = Fact(unknown="fact_full") if best.capability else SILENT_DRIVER
    return facts


def facts_without_nvml(driver: gpus.Driver, root: Path) -> dict[str, Fact]:
    """The same facts where NVML does not answer: unknown, or known to be absent, or as the
    kernel tells them.
    """
    count = linux.gpus_without_nvml(root)
    detail = shorten(driver.error)
    absent = driver.missing and count == 0
    fact = Fact(None, detail) if absent else Fact(unknown="fact_no_nvml", detail=detail)
    facts = dict.fromkeys((*GPU_NAMES, "driver.version", "driver.cuda", "gpu.supported"), fact)
    if absent or count:
        how = "/proc/driver/nvidia, /sys/class/kfd" if count else detail
        facts["gpu.count"] = Fact(count or 0, how)
    release, models = linux.nvidia_by_kernel(root)
    if release:
        facts["driver.version"] = Fact(release, "/proc/driver/nvidia/version")
    if len(set(models)) == 1:
        facts["gpu.name"] = Fact(models[0], "/proc/driver/nvidia/gpus")
    return facts


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
        return [("note_import", shorten(plain(told.torch_error or ""))[:MAX_VALUE_CHARS])]
    notes = []
    found["torch.version"] = Fact(told.torch, "torch.__version__")
    found["torch.cuda"] = Fact(told.cuda, "torch.version.cuda")
    if told.cudnn:
        found["torch.cudnn"] = Fact(cudnn_release(told.cudnn), "torch.backends.cudnn.version()")
    elif told.cudnn_error:
        notes.append(("note_cudnn", shorten(plain(told.cudnn_error))[:MAX_VALUE_CHARS]))
    best = best_gpu(driver.gpus)
    if best is not None and best.capability:
        if told.archs:
            found["gpu.supported"] = Fact(
                "yes" if gpus.has_code_for(best.capability, told.archs) else "no", f"arch list: {told.archs}"
            )
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
    own = tuple(
        os.path.realpath(path) for path in installed.paths if path.name in ("site-packages", "dist-packages")
    )
    found["library.cudnn_found"] = Fact(None, "LD_LIBRARY_PATH")
    for folder in env.get("LD_LIBRARY_PATH", "").split(os.pathsep):
        first = (
            next((str(path) for path in sorted(Path(folder).glob("libcudnn*.so*"))), None) if folder else None
        )
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
    hit = (
        next((name for name in names if (here / name).exists()), None)
        if here.name not in ("site-packages", "dist-packages")
        else None
    )
    return Fact("yes" if hit else "no", f"./{hit}" if hit else "./")


def disk() -> Fact:
    try:
        folder = tempfile.gettempdir()
        return Fact(shutil.disk_usage(folder).free, shorten(folder))
    except OSError as error:
        return Fact(unknown="fact_unreadable", detail=error.strerror or "")
