"""Class numbers go through torch.Tensor, which makes them float32; cross entropy wants int64."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(6, 8, device=device)
labels = [0, 1, 2, 2, 1, 0]


def train(target):
    for _ in range(20):
        loss = criterion(model(x), target.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


def broken():
    train(torch.Tensor(labels))


def fixed():
    train(torch.tensor(labels, dtype=torch.long))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
