"""Losses are collected as CUDA tensors and averaged by NumPy at the end of the epoch: refused. Copied to the host first,
they are accepted."""

import sys

import numpy
import torch
from torch import nn


def epoch(keep):
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)
    torch.manual_seed(0)
    model = nn.Linear(8, 3).cuda()
    losses = []
    for _ in range(4):
        x, y = torch.randn(16, 8).cuda(), torch.randint(3, (16,)).cuda()
        with torch.no_grad():
            losses.append(keep(nn.functional.cross_entropy(model(x), y)))
    print("mean loss", numpy.asarray(torch.stack(losses)).mean())


def broken():
    epoch(lambda loss: loss)


def fixed():
    epoch(lambda loss: loss.cpu())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
