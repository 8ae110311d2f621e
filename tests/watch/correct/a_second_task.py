"""The same inputs with the labels of another task, by another head: the first one no longer learns."""

import torch
from torch import nn

torch.manual_seed(0)
inputs = torch.randn(64, 8)
labels = {"first": torch.randint(0, 4, (64,)), "second": torch.randint(0, 2, (64,))}


class Heads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(8, 16)
        self.heads = nn.ModuleDict({"first": nn.Linear(16, 4), "second": nn.Linear(16, 2)})

    def forward(self, x, task):
        return self.heads[task](torch.relu(self.trunk(x)))


def fit(net, task, steps):
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    for _ in range(steps):
        loss = nn.functional.cross_entropy(net(inputs, task), labels[task])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


net = Heads()
fit(net, "first", 60)
fit(net, "second", 60)
