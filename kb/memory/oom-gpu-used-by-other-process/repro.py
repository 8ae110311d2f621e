"""A neighbour holds nearly all of an otherwise idle card, and a small model no longer fits; once it has ended, it does.

The neighbour is a process of this script; it takes the memory for some seconds, without writing to it, and only if nobody
else uses the card.
"""

import shutil
import subprocess
import sys

import torch
from torch import nn

LEFT = 256 << 20


def neighbour():
    torch.cuda.init()
    free, _ = torch.cuda.mem_get_info()
    held = torch.empty(free - LEFT, dtype=torch.uint8, device="cuda")
    print("holding", held.numel(), flush=True)
    sys.stdin.read()  # until the other side closes it


def shows_a_desktop():
    """Whether a GPU of this machine drives a display, which would be short of memory for some seconds."""
    smi = shutil.which("nvidia-smi")
    command = [smi, "--query-gpu=display_active", "--format=csv,noheader"]
    return (
        bool(smi) and "Enabled" in subprocess.run(command, capture_output=True, text=True, check=False).stdout
    )


def load(neighbour_ends):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    if shows_a_desktop():
        print(
            "a display hangs on a GPU here: its memory is not taken away for a demonstration", file=sys.stderr
        )
        sys.exit(125)
    free, total = torch.cuda.mem_get_info()
    if free < 0.9 * total:
        print(
            "somebody uses this card: its memory is not taken away from them for a demonstration",
            file=sys.stderr,
        )
        sys.exit(125)
    other = subprocess.Popen(
        [sys.executable, __file__, "--neighbour"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        if not other.stdout.readline().startswith("holding"):
            print("the neighbour could not take the card's memory", file=sys.stderr)
            sys.exit(125)
        if neighbour_ends:
            other.communicate()
        model = nn.Sequential(*[nn.Linear(4096, 4096, bias=False) for _ in range(9)])  # 576 MiB
        model.to("cuda")
        print("model loaded,", torch.cuda.memory_allocated() >> 20, "MiB")
    finally:
        other.kill()
        other.wait()


def broken():
    load(neighbour_ends=False)


def fixed():
    load(neighbour_ends=True)


if __name__ == "__main__":
    if "--neighbour" in sys.argv[1:]:
        neighbour()
    else:
        fixed() if "--fixed" in sys.argv[1:] else broken()
