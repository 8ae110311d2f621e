"""A residual connection is added with += to the output of a sigmoid, which backward() still needs. Adding out of place
leaves it untouched."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
layer = nn.Linear(8, 8).to(device)
optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)


def add_in_place(gate, x):
    gate += x
    return gate


def add(gate, x):
    return gate + x


def train(join):
    for _ in range(3):
        x = torch.randn(16, 8, device=device)
        loss = join(torch.sigmoid(layer(x)), x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("loss", round(loss.item(), 4))


def broken():
    train(add_in_place)


def fixed():
    train(add)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
