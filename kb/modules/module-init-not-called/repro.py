"""A network assigns its layers before super().__init__() has run. Called first, the same class works."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


def train_step(model):
    torch.manual_seed(0)
    model = model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.randn(4, 8, device=device)).square().mean()
    loss.backward()
    optimizer.step()
    print("loss", loss.item())


def broken():
    class Net(nn.Module):
        def __init__(self, width):
            self.hidden = nn.Linear(8, width)
            self.out = nn.Linear(width, 1)

        def forward(self, x):
            return self.out(self.hidden(x).relu())

    train_step(Net(16))


def fixed():
    class Net(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.hidden = nn.Linear(8, width)
            self.out = nn.Linear(width, 1)

        def forward(self, x):
            return self.out(self.hidden(x).relu())

    train_step(Net(16))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
