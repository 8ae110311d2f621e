"""The gradient norm of every parameter is logged, but the auxiliary head takes no part in the loss, so its .grad is None.
Parameters without a gradient have to be left out, and looked at."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(8, 16)
        self.head = nn.Linear(16, 2)
        self.auxiliary = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(torch.relu(self.trunk(x)))


def train(has_gradient):
    model = Net().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(32, 8, device=device), torch.randint(2, (32,), device=device)
    for _ in range(2):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        for name, parameter in model.named_parameters():
            if has_gradient(parameter):
                print(name, round(parameter.grad.norm().item(), 4))
        optimizer.step()


def broken():
    train(lambda parameter: True)


def fixed():
    train(lambda parameter: parameter.grad is not None)


if __name__ == "__main__":
    fixed() if "--fixed" in sys.argv[1:] else broken()
