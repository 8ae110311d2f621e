"""The losses of an epoch are kept in a list, and torch.mean is asked for their average; it takes a tensor. Stacked, they are one."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Linear(8, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, labels = torch.randn(64, 8, device=device), (torch.arange(64) % 3).to(device)


def epoch(join):
    losses = []
    for x, y in zip(inputs.split(16), labels.split(16)):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    print(f"mean loss {torch.mean(join(losses)):.3f}")


def broken():
    epoch(lambda losses: losses)


def fixed():
    epoch(torch.stack)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
