"""A loss with reduction="none" gives one number per sample, and the log line calls item() on all of them. Their weighted mean is one number."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Linear(8, 3).to(device)
criterion = nn.CrossEntropyLoss(reduction="none")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(16, 8, device=device), (torch.arange(16) % 3).to(device)
weights = torch.rand(16, device=device)


def train(reduce):
    for step in range(3):
        losses = criterion(model(x), y) * weights
        optimizer.zero_grad()
        losses.mean().backward()
        optimizer.step()
        print(f"step {step}: loss {reduce(losses).item():.3f}")


def broken():
    train(lambda losses: losses)


def fixed():
    train(torch.mean)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
