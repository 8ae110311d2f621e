"""The facts of a machine that entries may ask for: names, units, how a value is shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

from torchwhy.text.language import Bilingual

PLATFORMS = {"win32": "windows", "darwin": "macos"}  # by sys.platform; every other one counts as linux
# By name, what the fact is, in English and in Chinese
FACT_NAMES = {
    name: Bilingual(*texts)
    for name, texts in json.loads(Path(__file__).with_suffix(".json").read_text("utf-8")).items()
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
