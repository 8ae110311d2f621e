import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x * self.weight * 1e30 * 1e30  # broken
        return x * self.weight  # fixed


torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 4), Scale(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(3):
    out = net(torch.randn(8, 4))  # here
    optimizer.zero_grad()
    out.mean().backward()
    optimizer.step()
