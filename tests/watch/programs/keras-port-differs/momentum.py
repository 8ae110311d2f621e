import torch
from torch import nn

torch.manual_seed(0)
bn = nn.BatchNorm1d(4, momentum=0.99)  # broken
bn = nn.BatchNorm1d(4, momentum=0.01)  # fixed
net = nn.Sequential(nn.Linear(4, 4), bn, nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(4):
    out = net(torch.randn(8, 4))  # here
    optimizer.zero_grad()
    out.pow(2).mean().backward()
    optimizer.step()
