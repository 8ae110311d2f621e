"""Inputs and targets are shuffled by two permutations: the pairs are gone, and nothing can be learned. One permutation for both keeps them."""

import json
import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(600, 3)
y = x.sum(1, keepdim=True)


def train(x, y):
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    share = loss.item() / y.var().item()
    print(json.dumps({"unexplained_share": round(share, 3)}))
    if share > 0.5:
        sys.exit(f"symptom: {share:.0%} of the targets' variance stay unexplained, of a sum of the inputs")


def broken():
    global x, y
    x = x[torch.randperm(len(x))]
    y = y[torch.randperm(len(y))]
    train(x, y)


def fixed():
    order = torch.randperm(len(x))
    train(x[order], y[order])


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
