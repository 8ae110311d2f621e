"""torch.compile on the CPU with an empty PATH, as in a slim container image; with a compiler on the PATH the same call works."""

import os
import sys
import tempfile

import torch
from torch import nn


def infer():
    model = nn.Sequential(nn.Linear(8, 8), nn.GELU())
    compiled = torch.compile(model)
    with torch.no_grad():
        print(compiled(torch.randn(2, 8)).shape)


def broken():
    os.environ["PATH"] = tempfile.mkdtemp(dir=".")
    os.environ.pop("CXX", None)
    infer()


def fixed():
    infer()


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
