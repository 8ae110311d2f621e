"""A network keeps its blocks in an nn.ModuleList and calls the list as if it were a layer. Looping over it runs the blocks."""

import sys

import torch
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(8, 8), nn.ReLU()) for _ in range(3)])
        self.head = nn.Linear(8, 2)


class CallsTheList(Net):
    def forward(self, x):
        return self.head(self.blocks(x))


class LoopsOverTheList(Net):
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def run(net):
    torch.manual_seed(0)
    model = net().to(device)
    print(tuple(model(torch.randn(4, 8, device=device)).shape))


def broken():
    run(CallsTheList)


def fixed():
    run(LoopsOverTheList)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
