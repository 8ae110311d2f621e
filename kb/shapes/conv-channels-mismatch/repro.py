"""Images come from an array in (N, H, W, C) order, as OpenCV and PIL give them; the first convolution takes the height for the channels.
Permuted to (N, C, H, W) they train."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
photos = torch.randint(0, 256, (8, 32, 32, 3), dtype=torch.uint8)


def step(images):
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 2)
    ).to(device)
    loss = nn.functional.cross_entropy(model(images.to(device)), torch.arange(8, device=device) % 2)
    loss.backward()
    print(f"loss {loss.item():.3f}")


def broken():
    step(photos.float() / 255)


def fixed():
    step(photos.permute(0, 3, 1, 2).float() / 255)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
