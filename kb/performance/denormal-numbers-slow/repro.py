"""A weight that has decayed to 1e-40 is multiplied on the CPU: such denormal numbers make the same product many times slower than ordinary ones.
Flushed to zero, they cost nothing."""

import json
import sys
import time

import torch

if not torch.set_flush_denormal(False):
    print("needs a CPU on which torch can set how denormal numbers are treated", file=sys.stderr)
    sys.exit(125)

torch.manual_seed(0)
torch.set_num_threads(1)
x = torch.rand(256, 256)


def milliseconds(weight):
    times = []
    for _ in range(15):
        start = time.perf_counter()
        weight * 0.5
        times.append(1000 * (time.perf_counter() - start))
    return sorted(times)[7]


def compare(flush):
    usual = milliseconds(x.clone())
    decayed = torch.full((256, 256), 1e-40)
    torch.set_flush_denormal(flush)
    slow = milliseconds(decayed)
    print(json.dumps({"usual_ms": usual, "decayed_ms": slow}))
    if slow > 4 * usual:
        sys.exit(
            f"symptom: a product took {usual:.3f} ms with usual numbers and {slow:.3f} ms with denormal ones"
        )
    if not flush:
        print(
            "needs a CPU that is slow with denormal numbers: this one multiplies them at full speed",
            file=sys.stderr,
        )
        sys.exit(125)


def broken():
    compare(flush=False)


def fixed():
    compare(flush=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
