"""A model is built on the meta device; load_state_dict() copies into nothing, and moving the model fails. assign=True puts the tensors in."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def build():
    return nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))


def load(checkpoint, **how):
    with torch.device("meta"):
        model = build()
    print(model.load_state_dict(checkpoint, **how))
    model.to(device)
    print(model(torch.randn(4, 8, device=device)).shape)


def broken():
    load(build().state_dict())


def fixed():
    load(build().state_dict(), assign=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
