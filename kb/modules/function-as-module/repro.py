"""F.relu between the layers of an nn.Sequential is a function, which the container refuses; nn.ReLU() is the module for it."""

import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


def build(activation):
    return nn.Sequential(nn.Linear(8, 16), activation, nn.Linear(16, 2))


def run(model):
    print("output", tuple(model(torch.randn(4, 8)).shape))


def broken():
    run(build(F.relu))


def fixed():
    run(build(nn.ReLU()))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
