"""The raw outputs of a linear layer go into binary_cross_entropy, which wants probabilities. The variant with logits takes them
as they are."""

import sys

import torch
from torch import nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"


def train(loss_function):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(64, 8, device=device)
    y = (x.sum(1, keepdim=True) > 0).float()
    for _ in range(20):
        loss = loss_function(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")  # on a GPU the error surfaces here at the latest


def broken():
    train(lambda output, y: F.binary_cross_entropy(output, y))


def fixed():
    train(lambda output, y: F.binary_cross_entropy_with_logits(output, y))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
