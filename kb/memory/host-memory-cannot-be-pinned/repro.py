"""More pinned host memory is asked for than the machine has: CUDA answers "out of memory", though the card is empty. A small pinned
buffer that is filled again and again does the same job. Needs a GPU."""

import sys

import torch

GIB = 1 << 30


def run(size_bytes):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    staging = torch.empty(size_bytes, dtype=torch.uint8, pin_memory=True)
    on_card = staging[: 1 << 20].to("cuda", non_blocking=True)
    print(on_card.shape)


def broken():
    run(16384 * GIB)


def fixed():
    run(GIB // 16)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
