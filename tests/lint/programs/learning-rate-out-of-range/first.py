import torch
from torch import nn

net = nn.Linear(4, 4)
rate = 3  # broken
steps = torch.optim.Adam(net.parameters(), lr=rate)  # broken, here
rate = 3e-4  # fixed
steps = torch.optim.Adam(net.parameters(), lr=rate)  # fixed
net(torch.rand(2, 4)).square().sum().backward()
steps.step()
