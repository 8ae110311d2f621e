"""A mask is passed to nn.Sequential, which takes one input only. A module that hands the mask to its layers takes it."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Masked(nn.Module):
    def forward(self, x, mask=None):
        return x if mask is None else x * mask


class Chain(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x, mask):
        for layer in self.layers:
            x = layer(x, mask) if isinstance(layer, Masked) else layer(x)
        return x


def run(container):
    model = container(nn.Linear(4, 4), Masked(), nn.Linear(4, 2)).to(device)
    print(model(torch.ones(3, 4, device=device), torch.ones(3, 1, device=device)).shape)


def broken():
    run(nn.Sequential)


def fixed():
    run(Chain)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
