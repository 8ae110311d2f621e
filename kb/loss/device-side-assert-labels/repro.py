"""A classifier with 4 outputs is trained on labels numbered 1 … 4; the label 4 has no column. Numbered 0 … 3 they train."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
images = torch.randn(64, 16)
labels = torch.arange(64) % 4 + 1  # as the annotation file has them: 1 … 4


def train(targets):
    for x, y in zip(images.split(16), targets.split(16)):
        loss = criterion(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item():.3f}")  # on a GPU the error surfaces here


def broken():
    train(labels)


def fixed():
    train(labels - 1)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
