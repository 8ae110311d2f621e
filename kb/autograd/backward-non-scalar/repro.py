"""Samples are weighted through reduction='none', which leaves one loss per sample; backward() wants one number. The mean
of the weighted losses is that number."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Linear(8, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss(reduction="none")
x = torch.randn(16, 8, device=device)
y = torch.randint(3, (16,), device=device)
weights = torch.rand(16, device=device)


def train(reduce):
    for _ in range(3):
        loss = reduce(criterion(model(x), y) * weights)
        print("loss of shape", tuple(loss.shape))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def broken():
    train(lambda losses: losses)


def fixed():
    train(torch.mean)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
