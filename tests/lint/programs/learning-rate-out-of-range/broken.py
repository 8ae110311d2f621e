import torch
from torch import nn

net = nn.Linear(4, 4)
rate = 3
steps = torch.optim.Adam(net.parameters(), lr=rate)  # here
net(torch.rand(2, 4)).square().sum().backward()
steps.step()
