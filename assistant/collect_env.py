"""Reading a pasted `python -m torch.utils.collect_env` report into facts, so that a diagnosis uses that machine's.

The report's layout has been stable since torch 1.0: `Name: value` lines, GPUs and libraries as lists. What it does not
say (free memory, /dev/shm, limits) stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .cleaning import plain
from .facts import FACT_NAMES, Fact, Facts, Gpu, canonical
from .linux import vectors
from .private import shorten

Field = Callable[[str], str | None]
MARK = "PyTorch version:"
NOTHING = {"Could not collect", "N/A", "No CUDA", "None", ""}
BEGINS = re.compile(r"^\W{0,4}PyTorch version: ?\S")
SECOND = re.compile(r"^\W{0,4}(?:CUDA used to build PyTorch|Is debug build):")
WIDEST = 4000  # characters of a line that are read
LONGEST = 400  # lines from the first to the list of libraries; lscpu and topology tables fill most of them
LIBRARY = re.compile(r"\[(?:pip3?|conda)\]\s+([A-Za-z0-9][\w.-]*?)(?:==|\s+)([0-9]\S*)")
GPU = re.compile(r"(?m)^[^\w\n]{0,4}(?:GPU models and configuration:\s*)?GPU (\d+): (.+?)\s*$")
# Parts of a package's name that a report lists it for (torch/utils/collect_env.py, DEFAULT_PIP_PATTERNS).
LISTED = ("torch", "numpy")
# Branch of the driver -> newest CUDA it supports ("CUDA Toolkit and Corresponding Driver Versions" in the release notes).
BRANCHES = (
    (384, "9.0"), (390, "9.1"), (396, "9.2"), (410, "10.0"), (418, "10.1"), (440, "10.2"), (450, "11.0"), (455, "11.1"), (460, "11.2"), (465, "11.3"),
    (470, "11.4"), (495, "11.5"), (510, "11.6"), (515, "11.7"), (520, "11.8"), (525, "12.0"), (530, "12.1"), (535, "12.2"), (545, "12.3"), (550, "12.4"),
    (555, "12.5"), (560, "12.6"), (565, "12.7"), (570, "12.8"), (575, "12.9"), (580, "13.0"), (590, "13.1"),
)  # fmt: skip
NEWEST_BRANCH = 595  # from here on the table knows nothing
# How the lines of a report begin that was cut short, and those of the list of libraries.
LINES = re.compile(
    r"^\W{0,4}(?:PyTorch version:|Is debug build:|CUDA used to build|ROCM used to build|OS:|GCC version:|Clang version:|CMake version:|Libc version:|"
    r"Python version:|Python platform:|Is \w+ available:|\w+ (?:runtime )?version:|CUDA_MODULE_LOADING|GPU models|GPU \d+: |Nvidia driver version:|"
    r"Caching allocator|CPU:|\[(?:pip3?|conda)\]|(?:/|C:\\)\S.*cudnn\S*$)"
)


def facts_in(text: str) -> Facts | None:
    """The facts of the first report in a text, or None where it holds none."""
    if MARK not in text:
        return None
    lines = plain(text).split("\n")
    start, end = next(spans(lines), (0, 0))
    return parse("\n".join(line[:WIDEST] for line in lines[start:end])) if end else None


def without(text: str) -> str:
    """The text less its reports: what the user asks about. ("" or blanks where the reports were all.)"""
    lines = plain(text).split("\n")
    inside = {at for start, end in spans(lines) for at in range(start, end)}
    return "\n".join(line for at, line in enumerate(lines) if at not in inside)


def spans(lines: list[str]) -> Iterator[tuple[int, int]]:
    """(first line, line after the last) of each report: up to its list of libraries, or while lines look like one."""
    end = 0
    for at, line in enumerate(lines):
        if at < end or MARK not in line or not BEGINS.match(line) or not any(SECOND.match(other) for other in lines[at + 1 : at + 12]):
            continue
        start = at - 1 if at and "Collecting environment information" in lines[at - 1] else at
        libraries = next((other for other in range(at, min(at + LONGEST, len(lines))) if "Versions of relevant libraries" in lines[other]), None)
        end = at if libraries is None else libraries + 1
        while end < len(lines) and (LINES.match(lines[end]) or not lines[end].strip() or lines[end].strip() == "Could not collect"):
            end += 1
        yield start, end


def parse(report: str) -> Facts:
    """The facts of a report that begins with its `PyTorch version` line."""

    def field(name: str) -> str | None:
        match = re.search(rf"(?m)^[^\w\n]{{0,4}}{name}:[ \t]*(.*?)\s*$", report)
        return match[1] if match else None

    def said(name: str) -> str | None:
        value = field(name)
        return None if value is None or value in NOTHING or value.startswith("Could not collect") else value

    silent = Fact(unknown="fact_not_in_report")
    facts: dict[str, Fact] = dict.fromkeys(FACT_NAMES, silent)

    def put(name: str, value: str | int | None, how: str) -> None:
        facts[name] = Fact(value, how)

    release = said("PyTorch version")
    hip = said("ROCM used to build PyTorch")
    if release:
        put("torch.version", release, "PyTorch version")
        cuda = said("CUDA used to build PyTorch")
        if cuda is not None or field("CUDA used to build PyTorch") is not None:
            put("torch.cuda", cuda, "CUDA used to build PyTorch")
        put("torch.rocm", "yes" if hip else "no", "ROCM used to build PyTorch")
    system = (said("OS") or "").lower()
    if system:
        put("platform", "windows" if "windows" in system else "macos" if "mac" in system else "linux", "OS")
    python = re.match(r"\d+\.\d+(?:\.\d+)?", said("Python version") or "")
    if python:
        put("python.version", python[0], "Python version")
    if said("GCC version") or said("Clang version"):
        put("compiler", "yes", "GCC version, Clang version")
    elif facts["platform"].value == "linux" and field("GCC version") is not None:
        put("compiler", "no", "GCC version, Clang version")
    _system(report, said, put)
    count = re.search(r"(?m)^CPU\(s\):\s+(\d+)\s*$", report)
    if count:
        put("cpu.cores", int(count[1]), "lscpu")
    gpus = _gpus(report, said, field, facts, bool(hip))
    libraries = {canonical(f"package.{name}"): version for name, version in LIBRARY.findall(report)}
    if "package.pytorch" in libraries:  # conda's name for it
        libraries.setdefault("package.torch", libraries["package.pytorch"])
    facts.update({name: Fact(version, "[pip3], [conda]") for name, version in libraries.items()})
    wheel = next((version for name, version in libraries.items() if name.startswith("package.nvidia-cudnn-cu")), None)
    if wheel:
        put("torch.cudnn", wheel, "nvidia-cudnn")
    elif release and facts["torch.cuda"].known and facts["torch.cuda"].value is None:
        put("torch.cudnn", None, "CUDA used to build PyTorch")
    listed = [*LISTED, "triton"] if release and int(release.split(".")[0]) >= 2 else list(LISTED)
    absent = tuple(f"package.{name}" for name in listed) if libraries else ()
    return Facts("report", facts, absent, gpus=gpus)


def _system(report: str, said: Field, put: Callable[[str, str | int | None, str], None]) -> None:
    """The system, its processor, and what extensions are built with."""
    system, libc, nvcc = said("OS"), re.match(r"glibc-(\d[\d.]*)", said("Libc version") or ""), re.match(r"\d+(?:\.\d+)+", said("CUDA runtime version") or "")
    if system:
        put("platform.release", shorten(system), "OS")
    if libc:
        put("platform.libc", libc[1], "Libc version")
    if nvcc:
        put("library.nvcc", nvcc[0], "CUDA runtime version")
    compiler = re.search(r"\d+(?:\.\d+)+$", said("GCC version") or said("Clang version") or "")
    if compiler:
        put("compiler.version", compiler[0], "GCC version, Clang version")
    model, flags = re.search(r"(?m)^[^\w\n]{0,4}Model name:\s+(\S.*?)\s*$", report), re.search(r"(?m)^[^\w\n]{0,4}Flags:\s+(.*)$", report)
    if model:
        put("cpu.model", shorten(model[1]), "lscpu")
    if flags:
        put("cpu.vectors", vectors(flags[1]), "lscpu")


def _gpus(report: str, said: Field, field: Field, facts: dict[str, Fact], hip: bool) -> tuple[Gpu, ...]:
    """GPUs and driver, put into `facts`."""
    gpus = tuple(Gpu(int(index), shorten(name)) for index, name in GPU.findall(report))
    models, available = field("GPU models and configuration"), said("Is CUDA available") in ("True", "Yes")
    if not gpus and models and models not in NOTHING and not models.startswith("Could not"):
        gpus = (Gpu(0, shorten(models)),)  # ROCm and old reports: a name alone
    driver = said("Nvidia driver version")
    if gpus:
        facts["gpu.count"] = Fact(len(gpus), "nvidia-smi -L")
        if len({gpu.name for gpu in gpus}) == 1:
            facts["gpu.name"] = Fact(gpus[0].name, "nvidia-smi -L")
    elif models is not None and not available and driver is None and not hip:
        facts["gpu.count"] = Fact(0, "nvidia-smi -L")
    if driver:
        facts["driver.version"] = Fact(driver.split()[0], "Nvidia driver version")
        branch = re.match(r"\d+", driver)
        older = [cuda for start, cuda in BRANCHES if branch and start <= int(branch[0]) < NEWEST_BRANCH]
        if older:
            facts["driver.cuda"] = Fact(older[-1], f"driver branch {branch[0] if branch else ''}")
    return gpus
