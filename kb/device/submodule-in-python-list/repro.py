"""GRU layers in a plain list stay on the CPU when the model moves. Without a GPU it moves to the meta device: same check, same words."""

import sys

import torch
from torch import nn

device = torch.device("cuda:0" if torch.cuda.is_available() else "meta")


class Stack(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.embed = nn.Linear(10, 16)
        self.layers = [nn.GRU(16, 16, batch_first=True) for _ in range(depth)]

    def forward(self, x):
        x = self.embed(x)
        for layer in self.layers:
            x, _ = layer(x)
        return x


class RegisteredStack(Stack):
    def __init__(self, depth=2):
        super().__init__(depth)
        self.layers = nn.ModuleList(self.layers)


def broken():
    model = Stack().to(device)
    print(sum(p.numel() for p in model.parameters()), "parameters")
    print(model(torch.randn(4, 7, 10).to(device)).shape)


def fixed():
    model = RegisteredStack().to(device)
    print(sum(p.numel() for p in model.parameters()), "parameters")
    print(model(torch.randn(4, 7, 10).to(device)).shape)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
