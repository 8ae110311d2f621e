import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
for parameter in net[0].parameters():
    parameter.require_grad = False  # broken
    parameter.requires_grad = False  # fixed
optimizer = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.05)
for _ in range(4):
    x = torch.randn(8, 3)
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), x[:, :1]).backward()
    optimizer.step()  # here
