"""A scripted model answers its first request: TorchScript profiles and compiles in the first two calls, so it takes many times as long as any
later one. Warmed up with the same shape before it serves, the first request is as fast as the rest."""

import json
import sys
import time

import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)
layers = [layer for _ in range(6) for layer in (nn.Linear(64, 64), nn.GELU(), nn.LayerNorm(64))]
x = torch.randn(1, 64)


def serve(warm_up):
    with torch.inference_mode():
        model = torch.jit.script(nn.Sequential(*layers).eval())
        for _ in range(warm_up):
            model(torch.zeros_like(x))
        times = []
        for _ in range(50):
            start = time.perf_counter()
            model(x)
            times.append(1000 * (time.perf_counter() - start))
    usual = sorted(times[10:])[20]
    print(json.dumps({"first_request_ms": times[0], "usual_request_ms": usual}))
    if times[0] > 20 * usual:
        sys.exit(f"symptom: the first request took {times[0]:.1f} ms, a later one {usual:.2f} ms")


def broken():
    serve(warm_up=0)


def fixed():
    serve(warm_up=10)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
