"""The parameters are counted for a log line, which uses up the generator that then goes to the optimizer. A list can be read
twice."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))


def train(parameters):
    print(f"training {sum(p.numel() for p in parameters)} parameters")
    optimizer = torch.optim.Adam(parameters, lr=0.01)
    x = torch.randn(64, 8)
    for _ in range(20):
        loss = (model(x) - x.sum(1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


def broken():
    train(model.parameters())


def fixed():
    train(list(model.parameters()))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
