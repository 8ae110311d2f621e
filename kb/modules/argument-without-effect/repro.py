"""A GRU of one layer with dropout=0.5: torch warns that the option does nothing there. Dropout as a module of its own behind it does what was
meant, without a warning."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(2, 5, 4)


def broken():
    out, _ = nn.GRU(4, 8, batch_first=True, dropout=0.5)(x)
    print("zeros in the output:", int((out == 0).sum()))


def fixed():
    out, _ = nn.GRU(4, 8, batch_first=True)(x)
    print("zeros in the output:", int((nn.Dropout(0.5)(out) == 0).sum()))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
