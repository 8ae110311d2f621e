"""Images with values 0..255 and a usual learning rate: the first step throws all ReLUs below zero, and the loss stays at ln 10.
Scaled to mean 0 and deviation 1, the same network learns the one batch by heart."""

import json
import math
import sys

import torch
from torch import nn

STEPS, CLASSES = 300, 10


def overfit(prepare):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    images = prepare(torch.randint(0, 256, (50, 3 * 8 * 8)).float()).to(device)
    labels = torch.arange(50, device=device) % CLASSES
    model = nn.Sequential(
        nn.Linear(192, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, CLASSES)
    ).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(STEPS):
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    chance = math.log(CLASSES)
    first_layer = model[0].weight.grad.norm().item()
    print(
        json.dumps(
            {
                "loss": round(loss.item(), 3),
                "guessing": round(chance, 3),
                "gradient_of_first_layer": round(first_layer, 6),
            }
        )
    )
    if loss.item() > 0.9 * chance:
        sys.exit(
            f"symptom: after {STEPS} steps on one batch the loss is {loss.item():.3f}, that of guessing is {chance:.3f}"
        )


def broken():
    overfit(lambda pixels: pixels)


def fixed():
    overfit(lambda pixels: (pixels - pixels.mean()) / pixels.std())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
