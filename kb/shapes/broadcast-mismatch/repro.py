"""Feature maps (N, C, H, W) are normalised with one mean and one deviation per channel. A plain (C,) tensor is aligned with the width, not
with the channels; viewed as (1, C, 1, 1) it is aligned with them."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


class ChannelNorm(nn.Module):
    def __init__(self, channels, shape):
        super().__init__()
        self.register_buffer("mean", torch.full((channels,), 0.5).view(shape))
        self.register_buffer("std", torch.full((channels,), 0.25).view(shape))

    def forward(self, x):
        return (x - self.mean) / self.std


def run(shape):
    model = nn.Sequential(ChannelNorm(3, shape), nn.Conv2d(3, 8, 3)).to(device)
    print(tuple(model(torch.rand(4, 3, 32, 32, device=device)).shape))


def broken():
    run((-1,))


def fixed():
    run((1, -1, 1, 1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
