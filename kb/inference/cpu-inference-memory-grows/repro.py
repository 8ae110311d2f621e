"""Pictures of 150 widths go through ten convolutions on the CPU: oneDNN builds and keeps code for each layer and width, and the process
grows. Padded to a multiple of 64 the same pictures have three widths, and it does not."""

import json
import os
import sys

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(*[nn.Conv2d(16, 16, 3, padding=1) for _ in range(10)]).eval()
pictures = [torch.randn(1, 16, 32, 65 + width) for width in range(150)]


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def serve(prepare):
    with torch.inference_mode():
        widest = max(pictures, key=lambda picture: picture.shape[-1])
        model(prepare(widest))
        before = resident()
        widths = {model(prepare(picture)).shape[-1] for picture in pictures}
    grown = resident() - before
    print(json.dumps({"widths": len(widths), "grown_mib": round(grown, 1)}))
    if grown > 12:
        sys.exit(
            f"symptom: {len(pictures)} requests of {len(widths)} shapes made the process {grown:.0f} MiB larger"
        )


def broken():
    serve(lambda picture: picture)


def fixed():
    serve(lambda picture: nn.functional.pad(picture, (0, -picture.shape[-1] % 64)))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
