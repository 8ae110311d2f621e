"""Reading a pasted `python -m torch.utils.collect_env` report into facts, so that a diagnosis uses that
machine's.

The report's layout has been stable since torch 1.0: `Name: value` lines, GPUs and libraries as lists. What it
does not say (free memory, /dev/shm, limits) stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from torchwhy.knowledge.facts import Fact, Facts, Gpu
from torchwhy.knowledge.vocabulary import FACT_NAMES, canonical, vectors
from torchwhy.text.plain import plain
from torchwhy.text.whereabouts import shorten

MARK = "PyTorch version:"
NOTHING = {"Could not collect", "N/A", "No CUDA", "None", ""}
BEGINS = re.compile(r"^\W{0,4}PyTorch version: ?\S")
SECOND = re.compile(r"^\W{0,4}(?:CUDA used to build PyTorch|Is debug build):")
MAX_LINE_CHARS = 4000  # of a line that is read
MAX_REPORT_LINES = 400  # from the first to the list of libraries; lscpu and topology tables fill most of them
LIBRARY = re.compile(r"\[(?:pip3?|conda)\]\s+([A-Za-z0-9][\w.-]*?)(?:==|\s+)([0-9]\S*)")
GPU = re.compile(r"(?m)^[^\w\n]{0,4}(?:GPU models and configuration:\s*)?GPU (\d+): (.+?)\s*$")
# Parts of a package's name that a report lists it for (torch/utils/collect_env.py, DEFAULT_PIP_PATTERNS).
LISTED = ("torch", "numpy")
# Branch of the driver -> newest CUDA it supports ("CUDA Toolkit and Corresponding Driver Versions" in the
# release notes).
BRANCHES = (
    *((384, "9.0"), (390, "9.1"), (396, "9.2"), (410, "10.0"), (418, "10.1"), (440, "10.2"), (450, "11.0")),
    *((455, "11.1"), (460, "11.2"), (465, "11.3"), (470, "11.4"), (495, "11.5"), (510, "11.6")),
    *((515, "11.7"), (520, "11.8"), (525, "12.0"), (530, "12.1"), (535, "12.2"), (545, "12.3")),
    *((550, "12.4"), (555, "12.5"), (560, "12.6"), (565, "12.7"), (570, "12.8"), (575, "12.9")),
    *((580, "13.0"), (590, "13.1")),
)
NEWEST_BRANCH = 595  # from here on the table knows nothing
# Facts that one line tells: the name before its colon, and what of its value.
FIELDS = (
    ("torch.version", "PyTorch version", r".+"),
    ("python.version", "Python version", r"\d+\.\d+(?:\.\d+)?"),
    ("platform.libc", "Libc version", r"glibc-(\d[\d.]*)"),
    ("library.nvcc", "CUDA runtime version", r"\d+(?:\.\d+)+"),
    ("driver.version", "Nvidia driver version", r"\S+"),
)
# Facts of lscpu's table: the line, and how its value is read.
LSCPU: tuple[tuple[str, str, Callable[[str], str | int | None]], ...] = (
    ("cpu.cores", r"(?m)^CPU\(s\):\s+(\d+)\s*$", int),
    ("cpu.model", r"(?m)^[^\w\n]{0,4}Model name:\s+(\S.*?)\s*$", shorten),
    ("cpu.vectors", r"(?m)^[^\w\n]{0,4}Flags:\s+(.*)$", vectors),
)
# How the lines of a report begin that was cut short, and those of the list of libraries.
LINES = re.compile(
    r"^\W{0,4}(?:PyTorch version:|Is debug build:|CUDA used to build|ROCM used to build|"
    r"OS:|GCC version:|Clang version:|CMake version:|Libc version:|"
    r"Python version:|Python platform:|Is \w+ available:|\w+ (?:runtime )?version:|"
    r"CUDA_MODULE_LOADING|GPU models|GPU \d+: |Nvidia driver version:|"
    r"Caching allocator|CPU:|\[(?:pip3?|conda)\]|(?:/|C:\\)\S.*cudnn\S*$)"
)


def facts_in(text: str) -> Facts | None:
    """The facts of the first report in a text, or None where it holds none."""
    if MARK not in text:
        return None
    lines = plain(text).split("\n")
    start, end = next(spans(lines), (0, 0))
    return read_report("\n".join(line[:MAX_LINE_CHARS] for line in lines[start:end])) if end else None


def strip_reports(text: str) -> str:
    """The text less its reports: what the user asks about. "" or blanks where the reports were all."""
    lines = plain(text).split("\n")
    inside = {at for start, end in spans(lines) for at in range(start, end)}
    return "\n".join(line for at, line in enumerate(lines) if at not in inside)


def spans(lines: list[str]) -> Iterator[tuple[int, int]]:
    """(first line, line after the last) of each report: up to its list of libraries, or while lines look like
    one.
    """
    end = 0
    for number in range(len(lines)):
        if number < end or not _begins(lines, number):
            continue
        collecting = number > 0 and "Collecting environment information" in lines[number - 1]
        within = range(number, min(number + MAX_REPORT_LINES, len(lines)))
        libraries = next((at for at in within if "Versions of relevant libraries" in lines[at]), None)
        end = number if libraries is None else libraries + 1
        while end < len(lines) and _belongs(lines[end]):
            end += 1
        yield number - 1 if collecting else number, end


def _begins(lines: list[str], number: int) -> bool:
    """Whether a report begins on this line: its first field, and soon after another of its first ones."""
    line = lines[number]
    return (
        MARK in line
        and BEGINS.match(line) is not None
        and any(SECOND.match(other) for other in lines[number + 1 : number + 12])
    )


def _belongs(line: str) -> bool:
    """Whether a line may be one of a report's last ones."""
    return bool(LINES.match(line)) or line.strip() in ("", "Could not collect")


class Report:
    """The text of one report, and the facts that are read off it; those that nobody has put stay unknown."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.facts: dict[str, Fact] = dict.fromkeys(FACT_NAMES, Fact(unknown="fact_not_in_report"))

    def field(self, name: str) -> str | None:
        """What stands behind `name:` on a line of its own; None where there is no such line."""
        match = re.search(rf"(?m)^[^\w\n]{{0,4}}{name}:[ \t]*(.*?)\s*$", self.text)
        return match[1] if match else None

    def value(self, name: str) -> str | None:
        """The same, and None too where the report says that it found nothing."""
        value = self.field(name)
        return None if value is None or value in NOTHING or value.startswith("Could not collect") else value

    def put(self, name: str, value: str | int | None, how: str) -> None:
        self.facts[name] = Fact(value, how)


def read_report(text: str) -> Facts:
    """The facts of a report that begins with its `PyTorch version` line."""
    report = Report(text)
    for name, field, pattern in FIELDS:
        found = re.match(pattern, report.value(field) or "")
        if found:
            report.put(name, found[found.lastindex or 0], field)
    for name, line, read in LSCPU:
        found = re.search(line, text)
        if found:
            report.put(name, read(found[1]), "lscpu")
    release = report.value("PyTorch version")
    rocm = report.value("ROCM used to build PyTorch")
    if release:
        if report.field("CUDA used to build PyTorch") is not None:
            report.put("torch.cuda", report.value("CUDA used to build PyTorch"), "CUDA used to build PyTorch")
        report.put("torch.rocm", "yes" if rocm else "no", "ROCM used to build PyTorch")
    system = report.value("OS")
    if system:
        name = system.lower()
        kind = "windows" if "windows" in name else "macos" if "mac" in name else "linux"
        report.put("platform", kind, "OS")
        report.put("platform.release", shorten(system), "OS")
    _read_compiler(report)
    gpus = _read_gpus(report, bool(rocm))
    libraries = _read_libraries(report, release)
    listed = [*LISTED, "triton"] if re.match(r"(?:[2-9]|\d\d+)\.", release or "") else list(LISTED)
    absent = tuple(f"package.{name}" for name in listed) if libraries else ()
    return Facts("report", report.facts, absent, gpus=gpus)


def _read_compiler(report: Report) -> None:
    """What extensions are built with."""
    how = "GCC version, Clang version"
    compiler = report.value("GCC version") or report.value("Clang version")
    if compiler:
        report.put("compiler", "yes", how)
    elif report.facts["platform"].value == "linux" and report.field("GCC version") is not None:
        report.put("compiler", "no", how)
    version = re.search(r"\d+(?:\.\d+)+$", compiler or "")
    if version:
        report.put("compiler.version", version[0], how)


def _read_libraries(report: Report, release: str | None) -> dict[str, str]:
    """{fact: release} of the listed packages, put into the report; and cuDNN, which a package brings."""
    libraries = {canonical(f"package.{name}"): version for name, version in LIBRARY.findall(report.text)}
    if "package.pytorch" in libraries:  # conda's name for it
        libraries.setdefault("package.torch", libraries["package.pytorch"])
    for name, version in libraries.items():
        report.put(name, version, "[pip3], [conda]")
    cudnn = [version for name, version in libraries.items() if name.startswith("package.nvidia-cudnn-cu")]
    cuda = report.facts["torch.cuda"]
    if cudnn:
        report.put("torch.cudnn", cudnn[0], "nvidia-cudnn")
    elif release and cuda.known and cuda.value is None:
        report.put("torch.cudnn", None, "CUDA used to build PyTorch")
    return libraries


def _read_gpus(report: Report, rocm: bool) -> tuple[Gpu, ...]:
    """The GPUs; how many there are and their driver are put into the report."""
    how = "nvidia-smi -L"
    driver = report.value("Nvidia driver version")
    gpus = _listed_gpus(report)
    if gpus:
        report.put("gpu.count", len(gpus), how)
        if len({gpu.name for gpu in gpus}) == 1:
            report.put("gpu.name", gpus[0].name, how)
    else:
        unavailable = report.value("Is CUDA available") not in ("True", "Yes")
        looked = report.field("GPU models and configuration") is not None
        if looked and unavailable and driver is None and not rocm:
            report.put("gpu.count", 0, how)
    branch = re.match(r"\d+", driver or "")
    number = int(branch[0]) if branch else 0
    supported = [cuda for start, cuda in BRANCHES if start <= number < NEWEST_BRANCH]
    if supported:
        report.put("driver.cuda", supported[-1], f"driver branch {number}")
    return gpus


def _listed_gpus(report: Report) -> tuple[Gpu, ...]:
    gpus = tuple(Gpu(int(index), shorten(name)) for index, name in GPU.findall(report.text))
    models = report.value("GPU models and configuration")
    if not gpus and models:
        return (Gpu(0, shorten(models)),)  # ROCm and old reports: a name alone
    return gpus
