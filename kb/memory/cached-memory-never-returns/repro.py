"""Inputs grow and shrink again, yet the memory reserved from the driver stays at the peak until the cache is emptied once."""

import json
import sys

import torch
from torch import nn


def validate(release):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(256, 1024), nn.ReLU(), nn.Linear(1024, 10)).cuda().eval()
    peak = 0
    with torch.inference_mode():
        for length in (512, 8192, 32768, 8192, 512):
            result = model(torch.randn(length, 256, device="cuda")).mean().item()
            peak = max(peak, torch.cuda.max_memory_allocated())
    if release:
        torch.cuda.empty_cache()
    allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    print(
        json.dumps(
            {"peak": peak, "allocated_now": allocated, "reserved_now": reserved, "result": round(result, 4)}
        )
    )
    if reserved > allocated + (64 << 20):
        sys.exit(
            f"symptom: {reserved >> 20} MiB stay reserved while only {allocated >> 20} MiB are in tensors"
        )


def broken():
    validate(release=False)


def fixed():
    validate(release=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
