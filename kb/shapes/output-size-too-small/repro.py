"""Four blocks of convolution and pooling leave 2x2 of a 44x44 image for the last 3x3 convolution. Resized to 64x64 before, the same network
runs."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
crops = torch.randn(4, 3, 44, 44, device=device)


def network():
    layers, channels = [], 3
    for width in (8, 16, 32, 32):
        layers += [nn.Conv2d(channels, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2)]
        channels = width
    return nn.Sequential(
        *layers, nn.Conv2d(channels, 32, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 5)
    ).to(device)


def run(images):
    logits = network()(images)
    nn.functional.cross_entropy(logits, torch.arange(4, device=device)).backward()
    print(tuple(logits.shape))


def broken():
    run(crops)


def fixed():
    run(nn.functional.interpolate(crops, size=(64, 64), mode="bilinear", align_corners=False))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
