"""A small CNN whose first linear layer was sized for 28x28 images is given 32x32 ones: 16*8*8 features arrive, 16*7*7 are expected.
With the size computed from the images the same layers run."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
images = torch.randn(8, 1, 32, 32, device=device)


def step(side):
    features = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.MaxPool2d(2)
    )
    classifier = nn.Linear(16 * (side // 4) ** 2, 10)
    model = nn.Sequential(features, nn.Flatten(), classifier).to(device)
    loss = nn.functional.cross_entropy(model(images), torch.arange(8, device=device))
    loss.backward()
    print(f"loss {loss.item():.3f}")


def broken():
    step(side=28)  # as for MNIST


def fixed():
    step(side=images.shape[-1])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
