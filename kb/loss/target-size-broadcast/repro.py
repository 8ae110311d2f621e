"""A regression fits y = 3x with predictions of shape (64, 1) and targets of shape (64,). mse_loss broadcasts them to
64 x 64 and warns; the model learns the mean instead of the slope."""

import sys

import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(shape_target):
    torch.manual_seed(0)
    x = torch.randn(64, 1, device=device)
    y = 3 * x[:, 0]
    model = nn.Linear(1, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        loss = F.mse_loss(model(x), shape_target(y))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"learned slope {model.weight.item():.2f} (true: 3), loss {loss.item():.3f}")


def broken():
    train(lambda y: y)


def fixed():
    train(lambda y: y.unsqueeze(1))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
