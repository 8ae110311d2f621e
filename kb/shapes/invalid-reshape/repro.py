"""A small LeNet flattens with the 16*5*5 of the tutorial, but its images are 36x36: 16*6*6 numbers per sample do not fit.
Pooling to 5x5 first makes the same view right for every image size."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


class LeNet(nn.Module):
    def __init__(self, pool):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 6, 5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(6, 16, 5),
            nn.ReLU(),
            nn.MaxPool2d(2),
            pool,
        )
        self.fc = nn.Linear(16 * 5 * 5, 10)

    def forward(self, x):
        x = self.features(x)
        return self.fc(x.view(-1, 16 * 5 * 5))


def run(pool):
    logits = LeNet(pool).to(device)(torch.randn(8, 3, 36, 36, device=device))
    nn.functional.cross_entropy(logits, torch.arange(8, device=device)).backward()
    print(tuple(logits.shape))


def broken():
    run(nn.Identity())


def fixed():
    run(nn.AdaptiveAvgPool2d(5))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
