"""Under vmap a dropout layer draws random numbers, and vmap does not know whether each sample gets its own. Told so, it runs."""

import sys

import torch
from torch import nn
from torch.func import vmap

layer = nn.Sequential(nn.Linear(5, 8), nn.Dropout(0.5))
samples = torch.randn(4, 5)


def broken():
    print(vmap(layer)(samples).shape)


def fixed():
    print(vmap(layer, randomness="different")(samples).shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
