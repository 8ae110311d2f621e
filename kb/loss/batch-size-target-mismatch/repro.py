"""Feature maps of 8 x 7 x 7 are flattened with view(-1, 8): the pixels slip into the batch dimension, and 16 images give 784
predictions. flatten(1) keeps the batch."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
x = torch.randn(16, 1, 28, 28, device=device)
y = torch.randint(0, 10, (16,), device=device)


def train(flatten, features):
    backbone = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(), nn.MaxPool2d(2)).to(device)
    head = nn.Linear(features, 10).to(device)
    optimizer = torch.optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.1)
    for _ in range(5):
        logits = head(flatten(backbone(x)))
        loss = nn.functional.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"logits {tuple(logits.shape)}, loss {loss.item():.3f}")


def broken():
    train(lambda maps: maps.view(-1, 8), 8)


def fixed():
    train(lambda maps: maps.flatten(1), 8 * 7 * 7)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
