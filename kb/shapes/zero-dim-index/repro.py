"""A training loop of the time before 0.4 sums the loss with loss.data[0]; the loss has no dimension to index. item() gives the number."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
model = nn.Linear(8, 1).to(device)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
inputs, targets = torch.randn(64, 8, device=device), torch.randn(64, 1, device=device)


def epoch(number):
    total = 0.0
    for x, y in zip(inputs.split(16), targets.split(16)):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += number(loss)
    print(f"mean loss {total / 4:.3f}")


def broken():
    epoch(lambda loss: loss.data[0])


def fixed():
    epoch(lambda loss: loss.item())


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
