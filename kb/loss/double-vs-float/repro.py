"""A numpy array is float64, and from_numpy keeps that; the float32 layer refuses it."""

import sys

import numpy as np
import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
array = np.random.default_rng(0).normal(size=(64, 8))


def train(x):
    x = x.to(device)
    for _ in range(20):
        loss = nn.functional.mse_loss(model(x), x.sum(1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


def broken():
    train(torch.from_numpy(array))


def fixed():
    train(torch.from_numpy(array).float())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
