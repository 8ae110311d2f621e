"""forward() branches on a tensor's value, which cannot be traced into one graph; torch.where can."""

import sys

import torch
from torch import nn

if not hasattr(torch, "compile"):
    print("needs torch.compile", file=sys.stderr)
    sys.exit(125)

device = "cuda" if torch.cuda.is_available() else "cpu"


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        y = self.layer(x)
        if y.norm() > 10:
            y = y / y.norm()
        return y


class WhereGated(Gated):
    def forward(self, x):
        y = self.layer(x)
        return torch.where(y.norm() > 10, y / y.norm(), y)


def infer(model):
    compiled = torch.compile(model.to(device), backend="eager", fullgraph=True)
    for _ in range(3):
        print(compiled(torch.randn(4, 8, device=device)).shape)


def broken():
    infer(Gated())


def fixed():
    infer(WhereGated())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
