"""One optimizer step on 128 images does not fit under a limit of 768 MiB; the same step in slices of 8 images does."""

import sys

import torch
from torch import nn

LIMIT = 768 << 20  # what this process may use of the card, so that any card shows it


def setup():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    torch.manual_seed(0)
    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(min(1.0, LIMIT / total))
    model = nn.Sequential(
        nn.Conv2d(3, 64, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(64, 64, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(64, 10),
    ).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    return model, optimizer, torch.randn(128, 3, 128, 128), torch.randint(10, (128,))


def step(model, optimizer, images, labels, size):
    optimizer.zero_grad()
    for x, y in zip(images.split(size), labels.split(size)):
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda()) * len(x) / len(images)
        loss.backward()
    optimizer.step()


def broken():
    step(*setup(), size=128)


def fixed():
    step(*setup(), size=8)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
