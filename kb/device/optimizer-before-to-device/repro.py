"""Adagrad fills its state when it is built; the model moves to the GPU afterwards, and the first step() meets CPU state."""

import sys

import torch
from torch import nn


def train(model, optimizer, device):
    x, y = torch.randn(16, 8, device=device), torch.randint(3, (16,), device=device)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    print("loss", loss.item())


def need_gpu():
    if not torch.cuda.is_available():
        print("needs a GPU", file=sys.stderr)
        sys.exit(125)


def broken():
    need_gpu()
    model = nn.Linear(8, 3)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.01)
    model.to("cuda")
    train(model, optimizer, "cuda")


def fixed():
    need_gpu()
    model = nn.Linear(8, 3)
    model.to("cuda")
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.01)
    train(model, optimizer, "cuda")


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
