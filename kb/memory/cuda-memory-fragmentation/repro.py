"""Five results that each sit in the second half of a segment leave 320 MiB free in halves of 64 MiB, of no use for 96 MiB.

With expandable segments the allocator gives the pages of those halves back and maps them elsewhere, so 96 MiB fit.
"""

import os
import sys

import torch

SETTING = "PYTORCH_CUDA_ALLOC_CONF"
LIMIT = 704 << 20  # what this process may use of the card, so that any card shows it


def buffer(mib):
    return torch.empty(mib << 20, dtype=torch.uint8, device="cuda")


def run():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(min(1.0, LIMIT / total))
    scratch, results = [], []
    for _ in range(5):
        activations = buffer(128)
        del activations
        scratch.append(buffer(64))
        results.append(buffer(64))
    scratch.clear()
    print(
        "allocated",
        torch.cuda.memory_allocated() >> 20,
        "reserved",
        torch.cuda.memory_reserved() >> 20,
        "MiB",
    )
    longer = buffer(96)
    print("got", longer.numel() >> 20, "MiB")


def start(setting):
    """The setting is read once, so it has to be in the environment before the program starts."""
    if os.environ.get(SETTING, "") != setting or "PYTORCH_ALLOC_CONF" in os.environ:
        os.environ.pop("PYTORCH_ALLOC_CONF", None)
        os.environ[SETTING] = setting
        os.execv(sys.executable, [sys.executable, *sys.argv])
    run()


def broken():
    start("")


def fixed():
    start("expandable_segments:True")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
