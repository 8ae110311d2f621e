import torch
from torch import nn

net = nn.Linear(4, 4)
rate = 3e-4
steps = torch.optim.Adam(net.parameters(), lr=rate)
net(torch.rand(2, 4)).square().sum().backward()
steps.step()
