"""Four micro-batches stand for one batch of 64. Without dividing each loss by four, the accumulated gradient is four times that of
the large batch."""

import json
import sys

import torch
from torch import nn

steps = 4
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 3))
criterion = nn.CrossEntropyLoss()
x = torch.randn(64, 10)
y = torch.randint(0, 3, (64,))


def gradient_norm():
    return torch.cat([p.grad.flatten() for p in model.parameters()]).norm().item()


def compare(scale):
    model.zero_grad()
    criterion(model(x), y).backward()
    full = gradient_norm()
    model.zero_grad()
    for batch, target in zip(x.chunk(steps), y.chunk(steps)):
        loss = criterion(model(batch), target) * scale
        loss.backward()
    accumulated = gradient_norm()
    ratio = accumulated / full
    print(
        json.dumps(
            {
                "norm, one batch of 64": round(full, 5),
                "norm, accumulated": round(accumulated, 5),
                "ratio": round(ratio, 3),
            }
        )
    )
    if ratio > 1.5:
        sys.exit(f"symptom: the accumulated gradient is {ratio:.2f} times that of the large batch")


def broken():
    compare(scale=1)


def fixed():
    compare(scale=1 / steps)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
