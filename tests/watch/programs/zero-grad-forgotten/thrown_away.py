import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), 0.1)
for step in range(10):
    x = torch.randn(16, 4)
    nn.functional.mse_loss(net(x), x[:, :1]).backward()
    opt.zero_grad()  # broken, here
    opt.step()
    opt.zero_grad()  # fixed
