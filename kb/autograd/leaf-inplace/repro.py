"""A detection head's bias is given a prior through a view, with gradients being recorded: refused, since the bias is a
leaf. Under no_grad the same write is fine."""

import contextlib
import math
import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
head = nn.Conv2d(8, 3 * 6, 1).to(device)


def initialise(mode):
    with mode():
        bias = head.bias.view(3, -1)
        bias[:, 4] += math.log(8 / 640**2)
    print("objectness bias", round(head.bias[4].item(), 3))


def broken():
    initialise(contextlib.nullcontext)


def fixed():
    initialise(torch.no_grad)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
