import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(32, 3)

    def forward(self, x):
        return self.out(x)


def main():
    with torch.no_grad():
        trunk = nn.Sequential(nn.Linear(10, 32), nn.ReLU())  # here
    #: trunk.requires_grad_(False)
    head = Head()
    params = [*trunk.parameters(), *head.parameters()]
    optimizer = torch.optim.SGD([p for p in params if p.requires_grad], lr=0.1)
    for _ in range(5):
        optimizer.zero_grad()
        head(trunk(torch.rand(4, 10))).sum().backward()
        optimizer.step()


main()
