"""Predictions collected in eval() mode still keep every batch's activations; under inference_mode() they keep none."""

import contextlib
import json
import sys

import torch
from torch import nn


class Kept:
    """A tensor saved for backward; counts the bytes of the storages that are alive, each of them once."""

    now = peak = 0
    saved = {}  # address of a storage -> how many nodes save it

    def __init__(self, tensor):
        storage = (
            tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()
        )  # before 2.0
        self.tensor, self.at, self.size = tensor, storage.data_ptr(), storage.nbytes()
        Kept.saved[self.at] = Kept.saved.get(self.at, 0) + 1
        if Kept.saved[self.at] == 1:
            Kept.now += self.size
            Kept.peak = max(Kept.peak, Kept.now)

    def __del__(self):
        Kept.saved[self.at] -= 1
        if not Kept.saved[self.at]:
            Kept.now -= self.size


def validate(mode):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(4),
        nn.Flatten(),
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
        sys.exit(
            f"symptom: evaluation keeps {Kept.peak >> 20} MiB of activations beside {size >> 10} KiB of predictions"
        )


def broken():
    validate(contextlib.nullcontext())


def fixed():
    validate(torch.inference_mode())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
