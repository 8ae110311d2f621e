"""A helper asks `is_initialized()` under a torch that was built without distributed (as it is for Jetson; made here by hiding the built-in part and importing
torch.distributed anew). Asking `is_available()` first, it runs with and without."""

import importlib
import sys

import torch


def without_distributed():
    """torch.distributed as a build with USE_DISTRIBUTED=0 has it."""
    if hasattr(torch._C, "_c10d_init"):
        del torch._C._c10d_init
    for name in [name for name in sys.modules if name.startswith("torch.distributed")]:
        del sys.modules[name]
    return importlib.import_module("torch.distributed")


def broken():
    dist = without_distributed()
    rank = dist.get_rank() if dist.is_initialized() else 0
    print("rank", rank)


def fixed():
    dist = without_distributed()
    rank = dist.get_rank() if dist.is_available() and dist.is_initialized() else 0
    print("rank", rank)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
