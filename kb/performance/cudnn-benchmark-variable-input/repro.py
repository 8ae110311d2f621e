"""A 1-D conv net trains on clips whose length is never the same twice. With cudnn.benchmark every step searches for kernels again;
without it the steps cost what they cost at any other new length."""

import json
import sys
import time

import torch
from torch import nn


def steps(model, optimizer, lengths):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for length in lengths:
        x = torch.randn(8, 16, length, device="cuda")
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - start) / len(lengths)


def run(benchmark):
    if not torch.cuda.is_available() or not torch.backends.cudnn.is_available():
        print("needs a GPU with cuDNN", file=sys.stderr)
        sys.exit(125)
    torch.manual_seed(0)
    layers = [nn.Conv1d(16, 64, 9, padding=4), nn.ReLU()]
    for _ in range(5):
        layers += [nn.Conv1d(64, 64, 9, padding=4), nn.ReLU()]
    model = nn.Sequential(*layers, nn.Conv1d(64, 1, 9, padding=4)).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    torch.backends.cudnn.benchmark = False  # the default: what new lengths cost on this GPU anyway
    steps(model, optimizer, range(1001, 1081, 8))
    reference = steps(model, optimizer, range(1203, 1363, 16))

    torch.backends.cudnn.benchmark = benchmark
    steps(model, optimizer, [999])
    measured = steps(model, optimizer, range(1211, 1371, 16))

    ratio = measured / reference
    print(
        json.dumps(
            {"reference_ms": round(reference, 2), "measured_ms": round(measured, 2), "ratio": round(ratio, 2)}
        )
    )
    if ratio > 2:
        sys.exit(f"symptom: {ratio:.1f} times slower per step on new lengths with cudnn.benchmark")


def broken():
    run(benchmark=True)


def fixed():
    run(benchmark=False)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
