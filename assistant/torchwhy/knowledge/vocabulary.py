"""The facts of a machine that entries may ask for: names, units, how a value is shown."""

from __future__ import annotations

import re

from torchwhy.text.language import Bilingual

PLATFORMS = {"win32": "windows", "darwin": "macos"}  # by sys.platform; every other one counts as linux
FACT_NAMES = {
    "gpu.count": Bilingual("GPUs that the driver lists", "驱动列出的 GPU 数量"),
    "gpu.name": Bilingual("name of the GPU with most free memory", "空闲显存最多的那块 GPU 的名称"),
    "gpu.memory_total": Bilingual("its memory, bytes", "它的显存，字节"),
    "gpu.memory_free": Bilingual("its free memory, bytes", "它的空闲显存，字节"),
    "gpu.memory_others": Bilingual("bytes on it that other processes hold", "其他进程占用它的显存，字节"),
    "gpu.processes": Bilingual("processes on it", "使用它的进程数"),
    "gpu.compute_mode": Bilingual(
        "default, exclusive or prohibited", "计算模式：default、exclusive 或 prohibited"
    ),
    "gpu.capability": Bilingual("compute capability, such as 9.0", "计算能力，如 9.0"),
    "gpu.supported": Bilingual(
        "yes if the torch build has code for this capability", "torch 构建含有该计算能力的代码时为 yes"
    ),
    "gpu.xid": Bilingual("number of the newest Xid line in the kernel log", "内核日志里最新一条 Xid 的编号"),
    "driver.version": Bilingual("NVIDIA driver release", "NVIDIA 驱动版本"),
    "driver.cuda": Bilingual("newest CUDA that the driver supports", "驱动支持的最新 CUDA"),
    "torch.version": Bilingual("release of the torch that the program uses", "程序所用 torch 的版本"),
    "torch.cuda": Bilingual("CUDA of that build; none for a CPU build", "该构建的 CUDA；CPU 构建为 none"),
    "torch.cudnn": Bilingual("cuDNN release that the build brings", "该构建自带的 cuDNN 版本"),
    "torch.rocm": Bilingual("yes for a ROCm build", "ROCm 构建为 yes"),
    "shm.total": Bilingual("size of /dev/shm, bytes", "/dev/shm 的大小，字节"),  # noqa: S108
    "shm.free": Bilingual("free space in /dev/shm, bytes", "/dev/shm 的空闲空间，字节"),  # noqa: S108
    "ram.total": Bilingual(
        "memory that this process may use, bytes (a container's limit counts)",
        "本进程可用的内存，字节（计入容器限额）",
    ),
    "ram.free": Bilingual("memory available, bytes", "可用内存，字节"),
    "disk.free": Bilingual("free space in the temporary folder, bytes", "临时目录的空闲空间，字节"),
    "cpu.cores": Bilingual(
        "cores that this process may use (affinity and quota count)", "本进程可用的核数（计入亲和性和配额）"
    ),
    "cpu.threads_env": Bilingual("OMP_NUM_THREADS, if set", "OMP_NUM_THREADS 的值（如已设置）"),
    "cpu.model": Bilingual("name of the processor", "处理器型号"),
    "cpu.vectors": Bilingual(
        "its vector instructions: avx2, avx512f, amx_tile, sve, ...",
        "它的向量指令：avx2、avx512f、amx_tile、sve 等",
    ),
    "limit.open_files": Bilingual("soft limit of open files", "打开文件数的软上限"),
    "limit.processes": Bilingual(
        "soft limit of processes and threads of this user", "本用户进程与线程数的软上限"
    ),
    "limit.locked_memory": Bilingual(
        "soft limit of memory that a process may pin, bytes", "进程可锁定内存的软上限，字节"
    ),
    "limit.address_space": Bilingual(
        "soft limit of addresses of a process, bytes (CUDA wants none)",
        "进程地址空间的软上限，字节（CUDA 要求不限）",
    ),
    "container": Bilingual(
        "yes inside docker, podman or kubernetes", "在 docker、podman 或 kubernetes 中为 yes"
    ),
    "platform": Bilingual("linux, windows or macos", "linux、windows 或 macos"),
    "platform.release": Bilingual("name and release of the system", "系统名称与版本"),
    "platform.libc": Bilingual("release of the C library", "C 库版本"),
    "python.version": Bilingual("Python of the program", "程序所用的 Python"),
    "compiler": Bilingual("yes if a C++ compiler is found", "找到 C++ 编译器时为 yes"),
    "compiler.version": Bilingual("its release", "它的版本"),
    "library.nvcc": Bilingual(
        "CUDA toolkit that extensions would be built with, if any",
        "编译扩展时会使用的 CUDA 工具包版本（如有）",
    ),
    "library.cudnn_found": Bilingual(
        "libcudnn that LD_LIBRARY_PATH puts first, if any", "LD_LIBRARY_PATH 优先找到的 libcudnn（如有）"
    ),
    "library.openmp": Bilingual(
        "number of OpenMP run-times in the environment", "环境中 OpenMP 运行库的份数"
    ),
    "shadow.torch": Bilingual(
        "yes if a torch.py or a folder torch lies in the current directory",
        "当前目录里有 torch.py 或 torch 文件夹时为 yes",
    ),
}
VERSIONS = frozenset(
    """
    gpu.capability driver.version driver.cuda torch.version torch.cuda torch.cudnn python.version
    platform.libc compiler.version library.nvcc
    """.split()  # noqa: SIM905
)
BYTES = {name for name, text in FACT_NAMES.items() if "bytes" in text.en}
UNLIMITED = 2**63 - 1  # a limit that is not set, as a number that a rule can compare
# The packages that a report shows, beside NVIDIA's own: what a maintainer asks for. A list of everything
# would say more about its owner than about the error. A rule may ask for any (`package.NAME`).
SHOWN_PACKAGES = tuple(
    """
    torch torchvision torchaudio triton pytorch-triton triton-windows numpy transformers accelerate
    lightning pytorch-lightning deepspeed flash-attn xformers bitsandbytes torchmetrics safetensors
    intel-openmp mkl torchao torchdata optree onnx onnxruntime onnxruntime-gpu vllm peft tensorflow jax
    apex cuda-python fairscale horovod scikit-learn
    """.split()  # noqa: SIM905
)

Value = str | int | float


def is_fact(name: str) -> bool:
    """Whether an entry may ask for this name: the table above, `env.NAME`, `package.NAME`."""
    return name in FACT_NAMES or name.startswith(("env.", "package."))


def is_shown_package(name: str) -> bool:
    """Whether a report shows this package (its canonical name)."""
    return name in SHOWN_PACKAGES or name.startswith("nvidia-")


def is_version(name: str) -> bool:
    """Whether the fact is compared as a release ("12.10" is newer than "12.4")."""
    return name in VERSIONS or name.startswith("package.")


def canonical(name: str) -> str:
    """`package.Foo_Bar` as packaging names it; other names as they are."""
    return (
        "package." + re.sub(r"[-_.]+", "-", name.removeprefix("package.")).lower()
        if name.startswith("package.")
        else name
    )


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


VECTORS = tuple(
    """
    sse4_2 avx avx2 fma f16c avx512f avx512_bf16 avx512_vnni amx_tile amx_bf16 asimd sve sve2 bf16
    """.split()  # noqa: SIM905
)


def vectors(flags: str) -> str | None:
    """Of a processor's flags those that torch's kernels are chosen by, in that order; None where there are
    none of them.
    """
    return " ".join(name for name in VECTORS if name in flags.split()) or None
