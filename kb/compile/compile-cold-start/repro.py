"""Three calls of a compiled function are timed: the first one compiles and takes a hundred times as long as the others. With one call before the
clock starts all are alike."""

import json
import sys
import time

import torch


def measure(warm_up):
    compiled = torch.compile(lambda x: (x * 2).sin().sum())
    x = torch.ones(1000)
    if warm_up:
        compiled(x)
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        compiled(x)
        seconds.append(time.perf_counter() - start)
    first, later = seconds[0], max(min(seconds[1:]), 1e-6)
    print(json.dumps({"first_seconds": round(first, 4), "later_seconds": round(later, 6)}))
    if first > 0.2 and first > 50 * later:
        sys.exit(f"symptom: {first:.1f} s for the first call, {1000 * later:.2f} ms for a later one")


def broken():
    measure(warm_up=False)


def fixed():
    measure(warm_up=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
