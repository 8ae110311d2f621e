"""A chain of matrix products on the GPU, timed with perf_counter alone, seems to take a fraction of what the GPU's own events show.
With torch.cuda.synchronize() before each reading the two agree."""

import json
import sys
import time

import torch


def run(wait):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    torch.manual_seed(0)
    weight = torch.randn(3072, 3072, device="cuda") / 3072**0.5

    def forward(x):
        for _ in range(40):
            x = x @ weight
        return x

    x = torch.randn(3072, 3072, device="cuda")
    forward(x)  # warm-up
    torch.cuda.synchronize()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def clock():
        if wait:
            torch.cuda.synchronize()
        return time.perf_counter()

    start = clock()
    begin.record()
    y = forward(x)
    end.record()
    stopwatch = 1000 * (clock() - start)
    total = y.sum().item()  # waits for the result, whether timed or not
    gpu = begin.elapsed_time(end)
    share = stopwatch / gpu
    print(
        json.dumps(
            {
                "stopwatch_ms": round(stopwatch, 2),
                "gpu_ms": round(gpu, 2),
                "share": round(share, 3),
                "finite": total == total,
            }
        )
    )
    if share < 0.5:
        sys.exit(f"symptom: the stopwatch shows {share:.1%} of the time that the GPU needs")


def broken():
    run(wait=False)


def fixed():
    run(wait=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
