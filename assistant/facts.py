"""Facts about a machine: the vocabulary that entries may ask for, and what is known of one machine.

How they are gathered is said elsewhere: `machine` reads this one, `collect_env` a pasted report of another. A fact has a
value (None: looked for and not there), or it is unknown with a reason. A rule that needs an unknown fact says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .types import Bilingual, JSONObject

FACT_NAMES = {
    "gpu.count": Bilingual("GPUs that the driver lists", "驱动列出的 GPU 数量"),
    "gpu.name": Bilingual("name of the GPU with most free memory", "空闲显存最多的那块 GPU 的名称"),
    "gpu.memory_total": Bilingual("its memory, bytes", "它的显存，字节"),
    "gpu.memory_free": Bilingual("its free memory, bytes", "它的空闲显存，字节"),
    "gpu.memory_others": Bilingual("bytes on it that other processes hold", "其他进程占用它的显存，字节"),
    "gpu.processes": Bilingual("processes on it", "使用它的进程数"),
    "gpu.compute_mode": Bilingual("default, exclusive or prohibited", "计算模式：default、exclusive 或 prohibited"),
    "gpu.capability": Bilingual("compute capability, such as 9.0", "计算能力，如 9.0"),
    "gpu.supported": Bilingual("yes if the torch build has code for this capability", "torch 构建含有该计算能力的代码时为 yes"),
    "gpu.xid": Bilingual("number of the newest Xid line in the kernel log", "内核日志里最新一条 Xid 的编号"),
    "driver.version": Bilingual("NVIDIA driver release", "NVIDIA 驱动版本"),
    "driver.cuda": Bilingual("newest CUDA that the driver supports", "驱动支持的最新 CUDA"),
    "torch.version": Bilingual("release of the torch that the program uses", "程序所用 torch 的版本"),
    "torch.cuda": Bilingual("CUDA of that build; none for a CPU build", "该构建的 CUDA；CPU 构建为 none"),
    "torch.cudnn": Bilingual("cuDNN release that the build brings", "该构建自带的 cuDNN 版本"),
    "torch.rocm": Bilingual("yes for a ROCm build", "ROCm 构建为 yes"),
    "shm.total": Bilingual("size of /dev/shm, bytes", "/dev/shm 的大小，字节"),  # noqa: S108
    "shm.free": Bilingual("free space in /dev/shm, bytes", "/dev/shm 的空闲空间，字节"),  # noqa: S108
    "ram.total": Bilingual("memory that this process may use, bytes (a container's limit counts)", "本进程可用的内存，字节（计入容器限额）"),
    "ram.free": Bilingual("memory available, bytes", "可用内存，字节"),
    "disk.free": Bilingual("free space in the temporary folder, bytes", "临时目录的空闲空间，字节"),
    "cpu.cores": Bilingual("cores that this process may use (affinity and quota count)", "本进程可用的核数（计入亲和性和配额）"),
    "cpu.threads_env": Bilingual("OMP_NUM_THREADS, if set", "OMP_NUM_THREADS 的值（如已设置）"),
    "cpu.model": Bilingual("name of the processor", "处理器型号"),
    "cpu.vectors": Bilingual("its vector instructions: avx2, avx512f, amx_tile, sve, ...", "它的向量指令：avx2、avx512f、amx_tile、sve 等"),
    "limit.open_files": Bilingual("soft limit of open files", "打开文件数的软上限"),
    "limit.processes": Bilingual("soft limit of processes and threads of this user", "本用户进程与线程数的软上限"),
    "limit.locked_memory": Bilingual("soft limit of memory that a process may pin, bytes", "进程可锁定内存的软上限，字节"),
    "limit.address_space": Bilingual("soft limit of addresses of a process, bytes (CUDA wants none)", "进程地址空间的软上限，字节（CUDA 要求不限）"),
    "container": Bilingual("yes inside docker, podman or kubernetes", "在 docker、podman 或 kubernetes 中为 yes"),
    "platform": Bilingual("linux, windows or macos", "linux、windows 或 macos"),
    "platform.release": Bilingual("name and release of the system", "系统名称与版本"),
    "platform.libc": Bilingual("release of the C library", "C 库版本"),
    "python.version": Bilingual("Python of the program", "程序所用的 Python"),
    "compiler": Bilingual("yes if a C++ compiler is found", "找到 C++ 编译器时为 yes"),
    "compiler.version": Bilingual("its release", "它的版本"),
    "library.nvcc": Bilingual("CUDA toolkit that extensions would be built with, if any", "编译扩展时会使用的 CUDA 工具包版本（如有）"),
    "library.cudnn_found": Bilingual("libcudnn that LD_LIBRARY_PATH puts first, if any", "LD_LIBRARY_PATH 优先找到的 libcudnn（如有）"),
    "library.openmp": Bilingual("number of OpenMP run-times in the environment", "环境中 OpenMP 运行库的份数"),
    "shadow.torch": Bilingual("yes if a torch.py or a folder torch lies in the current directory", "当前目录里有 torch.py 或 torch 文件夹时为 yes"),
}
VERSIONS = {
    "gpu.capability", "driver.version", "driver.cuda", "torch.version", "torch.cuda", "torch.cudnn", "python.version", "platform.libc", "compiler.version",
    "library.nvcc",
}  # fmt: skip
BYTES = {name for name, text in FACT_NAMES.items() if "bytes" in text.en}
UNLIMITED = 2**63 - 1  # a limit that is not set, as a number that a rule can compare
# How a report groups them: (key of the heading in words.py, beginnings of names).
GROUPS = (
    ("facts_gpu", ("gpu.", "driver.")),
    ("facts_software", ("torch.", "python.", "package.", "library.", "compiler", "shadow.")),
    ("facts_memory", ("ram.", "shm.", "disk.")),
    ("facts_system", ("platform", "container", "cpu.", "limit.")),
    ("facts_env", ("env.",)),
)
# The packages that a report shows; a rule may ask for any (`package.NAME`). Which others are installed is nobody's business.
SHOWN_PACKAGES = (
    "torch", "torchvision", "torchaudio", "triton", "pytorch-triton", "triton-windows", "numpy", "transformers", "accelerate", "lightning",
    "pytorch-lightning", "deepspeed", "flash-attn", "xformers", "bitsandbytes", "torchmetrics", "safetensors", "intel-openmp", "mkl", "torchao", "torchdata",
    "optree", "onnx", "onnxruntime", "onnxruntime-gpu", "vllm", "peft", "tensorflow", "jax",
)  # fmt: skip

Value = str | int | float


def is_fact(name: str) -> bool:
    """Whether an entry may ask for this name: the table above, `env.NAME`, `package.NAME`."""
    return name in FACT_NAMES or name.startswith(("env.", "package."))


def is_version(name: str) -> bool:
    """Whether the fact is compared as a release ("12.10" is newer than "12.4")."""
    return name in VERSIONS or name.startswith("package.")


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `value` None: looked for and not there. `how`: where it was read. `unknown`: the key in words.py of
    the reason why nothing is known ("" where something is), `detail` what that sentence quotes.
    """

    value: Value | None = None
    how: str = ""
    unknown: str = ""
    detail: str = ""

    @property
    def known(self) -> bool:
        return not self.unknown


@dataclass(frozen=True, slots=True)
class Process:
    """A process on a GPU. `memory` in bytes, None where the driver does not say; `name` and `own` (is it this user's?) from /proc."""

    pid: int
    memory: int | None = None
    name: str = ""
    own: bool | None = None


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU (or MIG instance) as the driver describes it; memory in bytes, None where the driver does not say.

    `index` is NVML's, which is the order on the PCI bus, not CUDA's own. `uuid` chooses it in CUDA_VISIBLE_DEVICES; it is
    the card's serial number as well, and is never shown. `usable`: False for one that no program here can open.
    """

    index: int
    name: str
    memory_total: int | None = None
    memory_free: int | None = None
    memory_used: int | None = None
    processes: int | None = None
    compute_mode: str | None = None
    capability: str | None = None
    uuid: str | None = None
    users: tuple[Process, ...] = ()
    usable: bool = True

    def as_json(self) -> JSONObject:
        rows: list[JSONObject] = [{"pid": one.pid, "memory": one.memory, "name": one.name or None, "own": one.own} for one in self.users]
        return {**{slot: getattr(self, slot) for slot in self.__slots__ if slot not in ("uuid", "users")}, "users": rows}


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one machine. `origin`: this machine, or a pasted report of another.

    `absent`: beginnings of names whose absence was looked for too, so that a missing one is known to be missing.
    `interpreter` is whose torch it is, `chosen` the key in words.py of why that one; `notes` are (key in words.py, detail).
    """

    origin: Literal["machine", "report"]
    facts: Mapping[str, Fact]
    absent: tuple[str, ...] = ()
    interpreter: str = ""
    chosen: str = ""
    gpus: tuple[Gpu, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> Fact:
        """The fact of that name; unknown where nobody looked."""
        name = canonical(name)
        found = self.facts.get(name)
        if found is not None:
            return found
        return Fact(None, "") if name.startswith(self.absent) else Fact(unknown="fact_not_looked")

    def as_json(self) -> JSONObject:
        from .words import word

        rows = {}
        for name in report_names(self):
            fact = self.get(name)
            rows[name] = {"value": fact.value, "how": fact.how or None, "unknown": word(fact.unknown, "en", detail=fact.detail) if fact.unknown else None}
        gpus = [gpu.as_json() for gpu in self.gpus]
        notes = [word(key, "en", detail=detail) for key, detail in self.notes]
        return {"schema": 1, "origin": self.origin, "interpreter": self.interpreter or None, "gpus": gpus, "facts": rows, "notes": notes}


def canonical(name: str) -> str:
    """`package.Foo_Bar` as packaging names it; other names as they are."""
    return "package." + re.sub(r"[-_.]+", "-", name.removeprefix("package.")).lower() if name.startswith("package.") else name


def shown(name: str, value: Value | None) -> str:
    """A value for people: bytes in binary units, as `when` writes them; `none` for what is not there."""
    if value is None:
        return "none"
    if name.startswith("limit.") and value == UNLIMITED:
        return "unlimited"
    if name not in BYTES or isinstance(value, str):
        return str(value)
    for unit, size in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if value >= size:
            return f"{value / size:.1f}".removesuffix(".0") + f" {unit}"
    return f"{value:g} bytes"


def report_names(facts: Facts) -> list[str]:
    """Names for a report, in order: the table's, the packages worth showing, the variables."""
    extra = [name for name in facts.facts if name.startswith(("env.", "package.nvidia-")) or name.removeprefix("package.") in SHOWN_PACKAGES]
    return [*FACT_NAMES, *sorted(extra)]
