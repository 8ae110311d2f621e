"""An embedding with sparse=True gives sparse gradients, which Adam refuses at its first step; SparseAdam takes them."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
embedding = nn.Embedding(1000, 8, sparse=True)


def train(optimizer):
    for _ in range(3):
        ids = torch.randint(0, 1000, (16,))
        loss = embedding(ids).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


def broken():
    train(torch.optim.Adam(embedding.parameters(), lr=0.01))


def fixed():
    train(torch.optim.SparseAdam(embedding.parameters(), lr=0.01))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
