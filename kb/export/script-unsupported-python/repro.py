"""A module that indexes its ModuleList by a variable is compiled by torch.jit.script, which refuses that. Written as a loop over the layers it
compiles."""

import sys

import torch
from torch import nn


class Numbered(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        for i in range(3):
            x = self.layers[i](x)
        return x


class Looped(Numbered):
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def compile_and_call(model):
    print(torch.jit.script(model)(torch.ones(2, 4)).shape)


def broken():
    compile_and_call(Numbered())


def fixed():
    compile_and_call(Looped())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
