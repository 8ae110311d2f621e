"""A model's own method is called on its nn.DataParallel wrapper, which does not have it; through .module it is found."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.head = nn.Linear(4, 2)

    def encode(self, x):
        return self.encoder(x).relu()

    def forward(self, x):
        return self.head(self.encode(x))


def train():
    torch.manual_seed(0)
    model = nn.DataParallel(Net().to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = nn.functional.cross_entropy(
        model(torch.randn(4, 8, device=device)), torch.tensor([0, 1, 0, 1], device=device)
    )
    loss.backward()
    optimizer.step()
    return model


def broken():
    model = train()
    with torch.no_grad():
        print(tuple(model.encode(torch.ones(1, 8, device=device)).shape))


def fixed():
    model = train()
    with torch.no_grad():
        print(tuple(model.module.encode(torch.ones(1, 8, device=device)).shape))


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
