"""The head is to train ten times faster than the body, but model.parameters() as the first group already holds the head. Split by
identity, each parameter is in one group."""

import sys

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
        self.fc = nn.Linear(32, 2)

    def forward(self, x):
        return self.fc(self.body(x))


def train(model, first_group):
    optimizer = torch.optim.SGD(
        [{"params": first_group}, {"params": model.fc.parameters(), "lr": 0.1}], lr=0.01
    )
    x = torch.randn(64, 8)
    y = (x.sum(1) > 0).long()
    for _ in range(20):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}, learning rates {[group['lr'] for group in optimizer.param_groups]}")


def broken():
    model = Net()
    train(model, model.parameters())


def fixed():
    model = Net()
    head = {id(parameter) for parameter in model.fc.parameters()}
    train(model, [parameter for parameter in model.parameters() if id(parameter) not in head])


if __name__ == "__main__":
    torch.manual_seed(0)
    fixed() if "--fixed" in sys.argv[1:] else broken()
