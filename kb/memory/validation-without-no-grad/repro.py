"""Predictions collected in eval() mode still keep every batch's activations; under inference_mode() they keep none."""

import contextlib
import json
import sys

import torch
from torch import nn


class Kept:
    """A tensor saved for backward; counts the bytes of those that are alive."""

    now = peak = 0

    def __init__(self, tensor):
        self.tensor, self.size = tensor, tensor.numel() * tensor.element_size()
        Kept.now += self.size
        Kept.peak = max(Kept.peak, Kept.now)

    def __del__(self):
        Kept.now -= self.size


def validate(mode):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(),
        nn.Linear(256, 10),
    ).to(device)
    model.eval()
    predictions = []
    with mode, torch.autograd.graph.saved_tensors_hooks(Kept, lambda kept: kept.tensor):
        for _ in range(10):
            predictions.append(model(torch.randn(16, 3, 32, 32, device=device)))
    size = sum(p.numel() * p.element_size() for p in predictions)
    print(json.dumps({"batches": 10, "prediction_bytes": size, "kept_bytes": Kept.peak}))
    if Kept.peak > 10 * size:
        sys.exit(f"symptom: evaluation keeps {Kept.peak >> 20} MiB of activations beside {size >> 10} KiB of predictions")


def broken():
    validate(contextlib.nullcontext())


def fixed():
    validate(torch.inference_mode())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
