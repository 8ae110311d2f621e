"""The vocabulary of facts about a machine that entries may ask for. How they are gathered is not said here."""

from __future__ import annotations

FACT_NAMES = {
    "gpu.count": "GPUs that the driver lists",
    "gpu.name": "name of the GPU with most free memory",
    "gpu.memory_total": "its memory, bytes",
    "gpu.memory_free": "its free memory, bytes",
    "gpu.memory_others": "bytes on it that other processes hold",
    "gpu.processes": "processes on it",
    "gpu.compute_mode": "default, exclusive or prohibited",
    "gpu.capability": "compute capability, such as 9.0",
    "gpu.supported": "yes if the torch build has code for this capability",
    "gpu.xid": "number of the newest Xid line in the kernel log",
    "driver.version": "NVIDIA driver release",
    "driver.cuda": "newest CUDA that the driver supports",
    "torch.version": "release of the torch that the program uses",
    "torch.cuda": "CUDA of that build; none for a CPU build",
    "torch.cudnn": "cuDNN release that the build brings",
    "torch.rocm": "yes for a ROCm build",
    "shm.total": "size of /dev/shm, bytes",
    "shm.free": "free space in /dev/shm, bytes",
    "ram.total": "memory that this process may use, bytes (a container's limit counts)",
    "ram.free": "memory available, bytes",
    "disk.free": "free space in the temporary folder, bytes",
    "cpu.cores": "cores that this process may use (affinity and quota count)",
    "cpu.threads_env": "OMP_NUM_THREADS, if set",
    "limit.open_files": "soft limit of open files",
    "container": "yes inside docker, podman or kubernetes",
    "platform": "linux, windows or macos",
    "python.version": "Python of the program",
    "compiler": "yes if a C++ compiler is found",
    "library.cudnn_found": "libcudnn that LD_LIBRARY_PATH puts first, if any",
    "library.openmp": "number of OpenMP run-times in the environment",
    "shadow.torch": "yes if a torch.py or a folder torch lies in the current directory",
}
VERSIONS = {"gpu.capability", "driver.version", "driver.cuda", "torch.version", "torch.cuda", "torch.cudnn", "python.version"}


def is_fact(name: str) -> bool:
    """Whether an entry may ask for this name: the table above, `env.NAME`, `package.NAME`."""
    return name in FACT_NAMES or name.startswith(("env.", "package."))


def is_version(name: str) -> bool:
    """Whether the fact is compared as a release ("12.10" is newer than "12.4")."""
    return name in VERSIONS or name.startswith("package.")
