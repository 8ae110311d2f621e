"""A classifier whose loss is computed from argmax: no derivative leads back to the weights, so backward() has nothing to
start from. Cross entropy on the scores trains the same model."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 8, device=device)
y = torch.randint(3, (32,), device=device)


def train(criterion):
    for _ in range(3):
        loss = criterion(model(x))
        print("loss", loss.item(), "grad_fn", loss.grad_fn)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def broken():
    train(lambda scores: (scores.argmax(dim=1) != y).float().mean())


def fixed():
    train(lambda scores: nn.functional.cross_entropy(scores, y))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
