"""One forward of 256 small images keeps many times their size for backward; in batches of 16 it keeps a small part of that."""

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


def train(batch_size):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    images, labels = torch.randn(256, 1, 28, 28, device=device), torch.randint(10, (256,), device=device)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(8, 8, 3, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(8 * 28 * 28, 10),
    ).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with torch.autograd.graph.saved_tensors_hooks(Kept, lambda kept: kept.tensor):
        for x, y in zip(images.split(batch_size), labels.split(batch_size)):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    size = images.numel() * images.element_size()
    ratio = Kept.peak / size
    print(json.dumps({"data_bytes": size, "kept_bytes": Kept.peak, "ratio": round(ratio, 2)}))
    if ratio > 10:
        sys.exit(f"symptom: one forward keeps {ratio:.0f} times the size of the data set in activations")


def broken():
    train(batch_size=256)


def fixed():
    train(batch_size=16)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
