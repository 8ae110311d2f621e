"""The loss class is called with prediction and labels as if it were a function; its constructor tests the tensors for truth. Made first and
called afterwards it computes the loss."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Linear(8, 3).to(device)
x, y = torch.randn(16, 8, device=device), (torch.arange(16) % 3).to(device)


def step(criterion):
    loss = criterion(model(x), y)
    loss.backward()
    print(f"loss {loss.item():.3f}")


def broken():
    step(nn.CrossEntropyLoss)


def fixed():
    step(nn.CrossEntropyLoss())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
