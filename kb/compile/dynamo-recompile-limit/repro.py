"""A compiled step with static shapes sees a new sequence length in every batch; with dynamic shapes one graph serves all of them."""

import sys

import torch
from torch import nn

if not hasattr(torch, "compile"):
    print("needs torch.compile", file=sys.stderr)
    sys.exit(125)

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(dynamic):
    model = nn.Linear(8, 3).to(device)

    def step(x):
        return model(x).logsumexp(-1).mean()

    compiled = torch.compile(step, backend="eager", dynamic=dynamic)
    for length in range(5, 16):
        compiled(torch.randn(length, 8, device=device)).backward()
    print("trained on 11 lengths")


def broken():
    train(dynamic=False)


def fixed():
    train(dynamic=True)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
