"""10000 losses kept as separate CUDA scalars take 512 bytes each; kept in one CUDA tensor they take 4 bytes each."""

import json
import sys

import torch

STEPS = 10000


def record(together):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    prediction, target = torch.zeros((), device="cuda"), torch.ones((), device="cuda")
    (prediction - target).square()
    before = torch.cuda.memory_allocated()
    history = torch.zeros(STEPS, device="cuda") if together else [None] * STEPS
    for step in range(STEPS):
        history[step] = (prediction - target).square()
    used = torch.cuda.memory_allocated() - before
    print(json.dumps({"values": STEPS, "bytes_of_values": 4 * STEPS, "bytes_allocated": used}))
    if used > 20 * 4 * STEPS:
        sys.exit(f"symptom: {used} bytes are allocated for {4 * STEPS} bytes of values")


def broken():
    record(together=False)


def fixed():
    record(together=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
